import "../styles";
import { Badge, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { Time } from "../../../frame/ui/Time";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import { Question } from "../../../frame/ui/dialogs/Question";
import type { TokensQuery } from "../../../gql/graphql";
import classes from "../developer.module.css";
import { curlMe } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { RevokeButton, SecretList } from "../ui/SecretList";
import { RevokeToken, Tokens } from "./documents";
import { NewToken } from "./NewToken";

// A user has at most 100 that are not revoked.
const PAGE = 100;

type Token = NonNullable<TokensQuery["apiTokens"]>["nodes"][number];

/** The long-lived credentials of programs. */
export default function TokensPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const revoked = params.get("show") === "revoked";
  const { data, current, problem, loading, reload } = useLoaded(Tokens, {
    first: PAGE,
    where: { revoked: { eq: revoked } },
  });
  const [secret, setSecret] = useState<string | null>(null);
  const [confirming, setConfirming] = useState<Token | null>(null);
  const notice = useNotice();
  usePageTitle(t("nav.tokens"));
  function change(name: string, value: string | null) {
    const next = new URLSearchParams(params);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setParams(next, { replace: true });
  }
  // Rows of the other filter never stand under the headings of this one.
  const page = current ? data?.apiTokens : null;

  return (
    <Stack gap={8}>
      <Group justify="space-between">
        <Title order={1}>{t("nav.tokens")}</Title>
        <Button leftSection={<IconKey size={14} />} onClick={() => change("new", "1")}>
          {t("tokens.new")}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t("tokens.about")}
      </Text>
      <SecretList
        label={t("nav.tokens")}
        revoked={revoked}
        onShow={(only) => change("show", only ? "revoked" : null)}
        rows={page?.nodes ?? null}
        loading={loading}
        problem={problem}
        onRetry={reload}
        empty={t(revoked ? "tokens.noneRevoked" : "tokens.empty")}
        notice={<Notice message={notice.message} onDismiss={notice.dismiss} />}
        head={
          <>
            <Table.Th>{t("tokens.name")}</Table.Th>
            <Table.Th className={classes.wide}>{t("tokens.hint")}</Table.Th>
            <Table.Th className={classes.wide}>{t("tokens.created")}</Table.Th>
            <Table.Th>{t(revoked ? "tokens.revokedAt" : "tokens.expires")}</Table.Th>
          </>
        }
        row={(row) => <TokenRow key={row.uuid} row={row} onRevoke={() => setConfirming(row)} />}
      />
      {params.has("new") && (
        <NewToken
          onClose={() => change("new", null)}
          onCreated={(token) => {
            setSecret(token);
            change("new", null);
            reload();
          }}
        />
      )}
      {secret && (
        <SecretDialog title={t("tokens.shownTitle")} secret={secret} onClose={() => setSecret(null)}>
          <CodeBlock title={t("tokens.tryIt")} code={curlMe(secret)} wrapped />
        </SecretDialog>
      )}
      {confirming && (
        <Question
          title={t("tokens.revokeTitle", { name: confirming.name })}
          question={t("tokens.revokeText")}
          action={t("tokens.revoke")}
          mutation={RevokeToken}
          variables={{ id: confirming.uuid }}
          onDone={() => {
            notice.show(t("tokens.revoked", { name: confirming.name }));
            setConfirming(null);
            reload();
          }}
          onClose={() => setConfirming(null)}
        />
      )}
    </Stack>
  );
}

function TokenRow({ row, onRevoke }: { row: Token; onRevoke: () => void }) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const isOver = row.expiresAt !== null && Date.parse(row.expiresAt) <= now;
  return (
    <Table.Tr>
      <Table.Td fw={500} className={classes.anywhere}>
        {row.name}
      </Table.Td>
      <Table.Td className={classes.wide}>pst_…{row.hint}</Table.Td>
      <Table.Td className={classes.wide} c="dimmed">
        <Time value={row.createdAt} />
      </Table.Td>
      <Table.Td>
        {row.revokedAt ? (
          <Time value={row.revokedAt} />
        ) : isOver ? (
          <Badge color="red" variant="light" tt="none">
            {t("tokens.expired")}
          </Badge>
        ) : row.expiresAt ? (
          <Time value={row.expiresAt} />
        ) : (
          t("tokens.lives.never")
        )}
      </Table.Td>
      <Table.Td>
        {!row.revokedAt && (
          <RevokeButton label={t("tokens.revokeOf", { name: row.name })} onClick={onRevoke} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
