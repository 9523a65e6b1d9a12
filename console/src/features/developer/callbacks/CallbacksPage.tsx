import "../styles";
import { Button, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { useViewer } from "../../../frame/session";
import { Question } from "../../../frame/ui/dialogs/Question";
import { SecretDialog } from "../../../frame/ui/dialogs/SecretDialog";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { useFormat } from "../../../frame/values/format";
import type { HookFragment } from "../../../gql/graphql";
import classes from "../developer.module.css";
import { callback } from "../snippets";
import { CodeBlock } from "../ui/CodeBlock";
import { HealthBadge } from "../webhooks/HealthBadge";
import { healthOf } from "../webhooks/health";
import { CallbackHosts, DeleteCallbackHost, RotateCallbackSecret } from "./documents";

const POLL_MS = 10_000;

/** The hosts to which status callbacks of messages go, and the secret that signs them. */
export default function CallbacksPage() {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { data, problem, loading, reload } = useLoaded(CallbackHosts, {});
  const [removing, setRemoving] = useState<HookFragment | null>(null);
  const [rotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  usePageTitle(t("nav.callbacks"));
  useVisibleInterval(reload, POLL_MS);
  const rows = data?.statusCallbackHosts?.nodes ?? [];
  const writes = may("events:write");
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.callbacks")} about={t("callbacks.about")}>
        {writes && (
          <Button leftSection={<IconRefresh size={14} />} onClick={() => setRotating(true)}>
            {t("callbacks.rotate")}
          </Button>
        )}
      </PageHead>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Paper>
        <Table
          verticalSpacing={6}
          aria-label={t("nav.callbacks")}
          aria-busy={loading}
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("callbacks.host")}</Table.Th>
              <Table.Th>{t("hooks.state")}</Table.Th>
              <Table.Th className={classes.wide} ta="end">
                {t("hooks.waiting")}
              </Table.Th>
              <Table.Th className={classes.wide} ta="end">
                {t("hooks.dead")}
              </Table.Th>
              <Table.Th w={110}>
                <span className="visually-hidden">{t("callbacks.remove")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Host key={row.uuid} row={row} {...(writes && { onRemove: () => setRemoving(row) })} />
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && (data || loading) && (
          <EmptyList loading={!data && loading} text={t("callbacks.empty")} />
        )}
      </Paper>
      <Title order={2} mt="sm">
        {t("callbacks.exampleTitle")}
      </Title>
      <CodeBlock title={t("callbacks.example")} code={callback()} />
      {removing && (
        <Question
          title={t("callbacks.removeTitle", { host: removing.url })}
          question={t("callbacks.removeText")}
          action={t("callbacks.remove")}
          mutation={DeleteCallbackHost}
          variables={{ id: removing.uuid }}
          onDone={() => {
            setRemoving(null);
            reload();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
      {rotating && (
        <Question
          title={t("callbacks.rotateTitle")}
          question={t("callbacks.rotateText")}
          action={t("callbacks.rotate")}
          mutation={RotateCallbackSecret}
          variables={{}}
          onDone={(answer) => {
            setRotating(false);
            setSecret(answer.rotateCallbackSecret);
          }}
          onClose={() => setRotating(false)}
        />
      )}
      {secret !== null && (
        <SecretDialog title={t("callbacks.secret")} secret={secret} onClose={() => setSecret(null)}>
          <Text size="sm">{t("callbacks.secretText")}</Text>
        </SecretDialog>
      )}
    </Stack>
  );
}

function Host({ row, onRemove }: { row: HookFragment; onRemove?: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Table.Tr>
      <Table.Td fw={500} className={classes.anywhere}>
        {row.url}
      </Table.Td>
      <Table.Td>
        <HealthBadge health={healthOf(row)} />
        {row.failures > 0 && row.lastError && (
          <Text size="xs" c="dimmed" mt={2} className={classes.anywhere}>
            {row.lastError}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.wide} ta="end">
        {format.number(row.waiting)}
      </Table.Td>
      <Table.Td className={classes.wide} ta="end">
        {format.number(row.dead)}
      </Table.Td>
      <Table.Td>
        {onRemove && (
          <Button
            variant="subtle"
            color="red"
            size="compact-xs"
            aria-label={t("callbacks.removeOf", { host: row.url })}
            onClick={onRemove}
          >
            {t("callbacks.remove")}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
