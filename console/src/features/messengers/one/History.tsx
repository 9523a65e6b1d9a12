import { Loader, Paper, Stack, Table, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Empty } from "../../../frame/ui/page/Empty";
import { Time } from "../../../frame/ui/Time";
import { AccountBadge } from "../AccountBadge";
import { MessengerHistory } from "../documents";
import classes from "../messengers.module.css";
import { explains } from "../states";
import { useAccountStory } from "../useAccountStory";
import type { Account } from "./useAccount";

/** The states that the account was in, newest first, with the reason and how long each lasted. */
export function History({ account }: { account: Account }) {
  const { t } = useTranslation();
  const format = useFormat();
  const story = useAccountStory();
  const { data, problem, loading, reload } = useLoaded(MessengerHistory, { id: account.uuid });
  const shownAt = useRef(account.stateAt);
  useEffect(() => {
    if (shownAt.current === account.stateAt) return;
    shownAt.current = account.stateAt;
    reload();
  }, [account.stateAt, reload]);
  const changes = data?.messengerAccount?.stateChanges ?? [];
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (loading && !data) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (changes.length === 0) return <Empty text={t("messengers.history.empty")} />;
  return (
    <Stack gap={6}>
      <Paper>
        <Table verticalSpacing={6} aria-label={t("messengers.tabs.history")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("messengers.columns.since")}</Table.Th>
              <Table.Th>{t("messengers.columns.state")}</Table.Th>
              <Table.Th className={classes.wide}>{t("messengers.history.lasted")}</Table.Th>
              <Table.Th className={classes.wide}>{t("messengers.history.why")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map((change, index) => {
              const ended = changes[index - 1]?.createdAt;
              const seconds = ended ? (Date.parse(ended) - Date.parse(change.createdAt)) / 1000 : null;
              const { why } = story({ ...change, source: account.source });
              const explained = explains(change.state, change.reasonCode) ? why : change.reason;
              return (
                <Table.Tr key={change.createdAt + change.state}>
                  <Table.Td>
                    <Time value={change.createdAt} full />
                  </Table.Td>
                  <Table.Td>
                    <AccountBadge state={change.state} />
                    <Text size="xs" className={classes.narrow}>
                      {explained}
                    </Text>
                  </Table.Td>
                  <Table.Td className={classes.wide}>
                    {seconds === null ? t("messengers.history.now") : format.duration(seconds)}
                  </Table.Td>
                  <Table.Td className={classes.wide}>{explained}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Paper>
      <Text size="xs" c="dimmed">
        {t("messengers.history.kept")}
      </Text>
    </Stack>
  );
}
