import "../styles";
import { Badge, Button, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { ObjectHistory } from "../../../frame/audit/ObjectHistory";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Time } from "../../../frame/ui/Time";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Permissions } from "../../../frame/scopes/documents";
import { Reach } from "../../../frame/scopes/Reach";
import { presetWith, type Permission } from "../../../frame/scopes/permissions";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import type { TokenRowFragment } from "../../../gql/graphql";
import { AgentsCard } from "../agents/AgentsCard";
import classes from "../developer.module.css";
import { curlMe } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { RevokeButton, SecretList } from "../ui/SecretList";
import { Tokens } from "./documents";
import { RevokeDialog } from "./RevokeDialog";
import { TokenForm } from "./TokenForm";

// A user has at most 100 that are not revoked.
const PAGE = 100;

/** The long-lived credentials of programs. */
export default function TokensPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const revoked = params.get("show") === "revoked";
  const { data, current, problem, loading, reload } = useLoaded(Tokens, {
    first: PAGE,
    where: { revoked: { eq: revoked } },
  });
  const { data: rights } = useLoaded(Permissions, {});
  const permissions = rights?.permissions ?? [];
  const [secret, setSecret] = useState<string | null>(null);
  const [confirming, setConfirming] = useState<TokenRowFragment | null>(null);
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
  const told = page?.nodes.find(({ uuid }) => uuid === params.get("history"));
  const edited = page?.nodes.find(({ uuid, revokedAt }) => uuid === params.get("edit") && !revokedAt);

  const add = (
    <Button leftSection={<IconKey size={14} />} onClick={() => change("new", "1")}>
      {t("tokens.new")}
    </Button>
  );

  return (
    <Stack gap={8}>
      <PageHead title={t("nav.tokens")} about={t("tokens.about")}>
        {add}
      </PageHead>
      {!revoked && <AgentsCard onChanged={reload} />}
      <SecretList
        label={t("nav.tokens")}
        revoked={revoked}
        onShow={(only) => change("show", only ? "revoked" : null)}
        rows={page?.nodes ?? null}
        loading={loading}
        problem={problem}
        onRetry={reload}
        empty={t(revoked ? "tokens.noneRevoked" : "tokens.empty")}
        act={add}
        notice={<Notice message={notice.message} onDismiss={notice.dismiss} />}
        head={
          <>
            <Table.Th>{t("tokens.name")}</Table.Th>
            <Table.Th className={classes.wide}>{t("tokens.hint")}</Table.Th>
            <Table.Th>{t("tokens.scopes")}</Table.Th>
            <Table.Th className={classes.wide}>{t("tokens.networks")}</Table.Th>
            <Table.Th className={classes.wide}>{t("tokens.created")}</Table.Th>
            <Table.Th className={classes.wide}>{t("tokens.used")}</Table.Th>
            <Table.Th>{t(revoked ? "tokens.revokedAt" : "tokens.expires")}</Table.Th>
          </>
        }
        row={(row) => (
          <TokenRow
            key={row.uuid}
            row={row}
            permissions={permissions}
            onEdit={() => change("edit", row.uuid)}
            onRevoke={() => setConfirming(row)}
            onHistory={() => change("history", row.uuid)}
          />
        )}
      />
      {params.has("new") && rights && (
        <TokenForm
          permissions={permissions}
          onClose={() => change("new", null)}
          onSaved={(_, made) => {
            setSecret(made ?? null);
            change("new", null);
            reload();
          }}
        />
      )}
      {edited && rights && (
        <TokenForm
          key={edited.uuid}
          token={edited}
          permissions={permissions}
          onClose={() => change("edit", null)}
          onSaved={(name) => {
            notice.show(t("tokens.changed", { name }));
            change("edit", null);
            reload();
          }}
        />
      )}
      {told && (
        <Modal
          opened
          size="xl"
          onClose={() => change("history", null)}
          title={t("audit.historyOf", { name: told.name })}
          closeButtonProps={{ "aria-label": t("common.close") }}
        >
          <ObjectHistory id={told.uuid} titled={false} />
        </Modal>
      )}
      {secret && (
        <SecretDialog title={t("tokens.shownTitle")} secret={secret} onClose={() => setSecret(null)}>
          <CodeBlock title={t("tokens.tryIt")} code={curlMe(secret)} wrapped />
        </SecretDialog>
      )}
      {confirming && (
        <RevokeDialog
          token={confirming}
          onRevoked={() => {
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

interface RowProps {
  row: TokenRowFragment;
  permissions: readonly Permission[];
  onEdit: () => void;
  onRevoke: () => void;
  onHistory: () => void;
}

function TokenRow({ row, permissions, onEdit, onRevoke, onHistory }: RowProps) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const isOver = row.expiresAt !== null && Date.parse(row.expiresAt) <= now;
  return (
    <Table.Tr>
      <Table.Td fw={500} miw={84} className={classes.anywhere}>
        {row.name}
      </Table.Td>
      <Table.Td className={classes.wide}>pst_…{row.hint}</Table.Td>
      <Table.Td>
        <ScopesInShort scopes={row.scopes} permissions={permissions} />
        <Reach above={row.approvalAbove} />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.anywhere}`}>
        {row.networks?.join(", ") ?? t("tokens.everywhere")}
      </Table.Td>
      <Table.Td className={classes.wide} c="dimmed">
        <Time value={row.createdAt} />
      </Table.Td>
      <Table.Td className={classes.wide}>
        <LastUse row={row} />
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
        <Group gap={2} justify="flex-end">
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t("audit.historyOf", { name: row.name })}
            onClick={onHistory}
          >
            {t("audit.history")}
          </Button>
          {!row.revokedAt && (
            <>
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={t("tokens.editOf", { name: row.name })}
                onClick={onEdit}
              >
                {t("tokens.edit")}
              </Button>
              <RevokeButton label={t("tokens.revokeOf", { name: row.name })} onClick={onRevoke} />
            </>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** When a token was used last, from where, and what it was refused last. */
function LastUse({ row }: { row: TokenRowFragment }) {
  const { t } = useTranslation();
  if (!row.lastUsedAt)
    return (
      <Text span size="sm" c="dimmed">
        {t("tokens.neverUsed")}
      </Text>
    );
  return (
    <Stack gap={0}>
      <span>
        <Time value={row.lastUsedAt} />
        {row.lastUsedIp && <Text span size="xs" c="dimmed">{` ${row.lastUsedIp}`}</Text>}
      </span>
      {row.lastRefusedAt && (
        <Text size="xs" c="var(--console-warning)" className={classes.anywhere}>
          {t("tokens.refused", { what: row.lastRefusal ?? "" })} <Time value={row.lastRefusedAt} />
        </Text>
      )}
    </Stack>
  );
}

interface ShortProps {
  scopes: string[] | null;
  permissions: readonly Permission[];
}

/** What a token may, in a word or two: the names of its permissions are in the tooltip. */
function ScopesInShort({ scopes, permissions }: ShortProps) {
  const { t, textOr } = useTranslation();
  if (scopes === null) return t("tokens.fullInShort");
  const preset = presetWith(scopes, permissions);
  const text = preset
    ? textOr(`scopeList.presetNames.${preset}`, preset)
    : t("tokens.someScopes", { count: scopes.length, number: scopes.length });
  return <span title={scopes.join("\n")}>{text}</span>;
}
