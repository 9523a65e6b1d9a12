import "../styles";
import { Button, Stack, Table, Text, Title } from "@mantine/core";
import { IconKey, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { Time } from "../../../frame/ui/Time";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import { Question } from "../../../frame/ui/dialogs/Question";
import type { HookSecretsQuery } from "../../../gql/graphql";
import { keyedHook, signedHook } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { RevokeButton, SecretList } from "../ui/SecretList";
import { CreateHookKey, HookMakers, HookSecrets, RevokeHookSecret, RotateHookSecret } from "./documents";

// Two secrets and ten keys are valid at most; of the revoked ones the newest are shown.
const PAGE = 100;

type Row = NonNullable<HookSecretsQuery["hookSecrets"]>["nodes"][number];
type Confirming = { what: "rotate" } | { what: "key" } | { what: "revoke"; row: Row };
type Shown = { kind: Row["kind"]; secret: string };

/** What engines use to prove that a report about a user's messages comes from them. */
export default function HookSecretsPage() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const [params, setParams] = useSearchParams();
  const revoked = params.get("show") === "revoked";
  const { data, current, problem, loading, reload } = useLoaded(HookSecrets, {
    first: PAGE,
    where: { revoked: { eq: revoked } },
  });
  const { data: people } = useLoaded(HookMakers, {}, !viewer.may("members:read"));
  const makers = new Map(people?.members?.nodes.map(({ userUuid, email }) => [userUuid, email]));
  const [confirming, setConfirming] = useState<Confirming | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  usePageTitle(t("nav.hookSecrets"));
  // Rows of the other filter never stand under the headings of this one.
  const page = current ? data?.hookSecrets : null;
  function done(next: Shown | null) {
    setConfirming(null);
    setShown(next);
    reload();
  }

  const rotate = (
    <Button leftSection={<IconRefresh size={14} />} onClick={() => setConfirming({ what: "rotate" })}>
      {t("hookSecrets.rotate")}
    </Button>
  );

  return (
    <Stack gap={8}>
      <PageHead title={t("nav.hookSecrets")} about={t("hookSecrets.about")}>
        <Button
          variant="default"
          leftSection={<IconKey size={14} />}
          onClick={() => setConfirming({ what: "key" })}
        >
          {t("hookSecrets.createKey")}
        </Button>
        {rotate}
      </PageHead>
      <SecretList
        label={t("nav.hookSecrets")}
        revoked={revoked}
        onShow={(only) => setParams(only ? { show: "revoked" } : {}, { replace: true })}
        rows={page?.nodes ?? null}
        loading={loading}
        problem={problem}
        onRetry={reload}
        empty={t(revoked ? "hookSecrets.noneRevoked" : "hookSecrets.empty")}
        act={rotate}
        head={
          <>
            <Table.Th>{t("hookSecrets.kind")}</Table.Th>
            <Table.Th>{t("hookSecrets.ends")}</Table.Th>
            <Table.Th>{t(revoked ? "tokens.revokedAt" : "tokens.created")}</Table.Th>
          </>
        }
        row={(row) => (
          <Table.Tr key={row.uuid}>
            <Table.Td fw={500}>
              {t(`hookSecrets.kinds.${row.kind}`)}
              {row.createdBy && (
                <Text size="xs" c="dimmed">
                  {makers.get(row.createdBy) ?? t("hookSecrets.byMember")}
                </Text>
              )}
            </Table.Td>
            <Table.Td>…{row.hint}</Table.Td>
            <Table.Td c="dimmed">
              <Time value={row.revokedAt ?? row.createdAt} />
            </Table.Td>
            <Table.Td>
              {!row.revokedAt && (
                <RevokeButton
                  label={t("hookSecrets.revokeOf", { hint: row.hint })}
                  onClick={() => setConfirming({ what: "revoke", row })}
                />
              )}
            </Table.Td>
          </Table.Tr>
        )}
      />
      <Title order={2} mt="sm">
        {t("hookSecrets.exampleTitle")}
      </Title>
      <CodeBlock title={t("hookSecrets.signedExample")} code={signedHook(viewer.ownerUuid)} />
      <CodeBlock title={t("hookSecrets.keyedExample")} code={keyedHook(viewer.ownerUuid)} />
      {confirming?.what === "rotate" && (
        <Question
          title={t("hookSecrets.rotateTitle")}
          question={t("hookSecrets.rotateText")}
          action={t("hookSecrets.rotate")}
          mutation={RotateHookSecret}
          variables={{}}
          onDone={(answer) =>
            done(answer.rotateHookSecret && { kind: "secret", secret: answer.rotateHookSecret.secret })
          }
          onClose={() => setConfirming(null)}
        />
      )}
      {confirming?.what === "key" && (
        <Question
          title={t("hookSecrets.keyTitle")}
          question={t("hookSecrets.keyText")}
          action={t("hookSecrets.createKey")}
          mutation={CreateHookKey}
          variables={{}}
          onDone={(answer) =>
            done(answer.createHookKey && { kind: "key", secret: answer.createHookKey.secret })
          }
          onClose={() => setConfirming(null)}
        />
      )}
      {confirming?.what === "revoke" && (
        <Question
          title={t("hookSecrets.revokeTitle", { hint: confirming.row.hint })}
          question={t("hookSecrets.revokeText")}
          action={t("tokens.revoke")}
          mutation={RevokeHookSecret}
          variables={{ id: confirming.row.uuid }}
          onDone={() => done(null)}
          onClose={() => setConfirming(null)}
        />
      )}
      {shown && (
        <SecretDialog
          title={t(`hookSecrets.shown.${shown.kind}`)}
          secret={shown.secret}
          onClose={() => setShown(null)}
        >
          <CodeBlock
            title={t("tokens.tryIt")}
            code={(shown.kind === "secret" ? signedHook : keyedHook)(viewer.ownerUuid, shown.secret)}
          />
        </SecretDialog>
      )}
    </Stack>
  );
}
