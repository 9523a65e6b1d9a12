import { Anchor, Modal, Table, Text } from "@mantine/core";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import { useFormat } from "../../frame/values/format";
import type { BlockReason, BlockScope } from "../../gql/graphql";
import { BlockGroups } from "./documents";

interface Props {
  onClose: () => void;
  onChosen: (reason: BlockReason, scope: BlockScope) => void;
}

/** How many addresses are blocked for each reason, and since when the newest is; each reason leads to its entries. */
export function BlockSummary({ onClose, onChosen }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, problem, loading, reload } = useLoaded(BlockGroups, {});
  const groups = data?.blockedPhoneSummary?.items;
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t("blocks.summaryTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      <Table fz="sm" aria-label={t("blocks.summaryTitle")} aria-busy={loading}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("blocks.reason")}</Table.Th>
            <Table.Th ta="end">{t("blocks.number")}</Table.Th>
            <Table.Th>{t("blocks.newest")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups?.map(({ reason, scope, count, newestAt }) => (
            <Table.Tr key={`${reason} ${scope}`}>
              <Table.Td>
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  ta="start"
                  onClick={() => onChosen(reason, scope)}
                >
                  {t(`blocks.reasons.${reason}`)}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {t(`blocks.scopes.${scope}`)}
                </Text>
              </Table.Td>
              <Table.Td ta="end" fw={600}>
                {format.number(count)}
              </Table.Td>
              <Table.Td c="dimmed">
                <Time value={newestAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!groups?.length && !problem && <EmptyList loading={!groups} text={t("blocks.empty")} />}
    </Modal>
  );
}
