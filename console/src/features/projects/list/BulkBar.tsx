import { Alert, Box, Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { IconPlayerStop, IconRefresh, IconTrash, type Icon } from "@tabler/icons-react";
import { useState } from "react";
import { useClient, type CombinedError } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/values/format";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { SelectionBar } from "../../../frame/list/SelectionBar";
import type { Selection } from "../../../frame/list/useSelection";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { useViewer } from "../../../frame/session";
import type { ProjectRowFragment } from "../../../gql/graphql";
import { BULK, fits, type Bulk } from "./bulk";
import { DeleteProjects, RetryProjects, StopProjects } from "./documents";

const ICONS: Record<Bulk, Icon> = { stop: IconPlayerStop, retry: IconRefresh, delete: IconTrash };

interface Outcome {
  action: Bulk;
  done: number;
  failed: readonly { name: string; message: string }[];
}

interface Props {
  selection: Selection<ProjectRowFragment>;
  onChanged: () => void;
}

/** What can be done with the chosen projects, and what became of each. */
export function BulkBar({ selection, onChanged }: Props) {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  const format = useFormat();
  const { may } = useViewer();
  const act = useBulk();
  const [asking, setAsking] = useState<Bulk | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { rows } = selection;
  const fitting = (action: Bulk) => rows.filter((row) => fits(action, row));

  async function run(action: Bulk) {
    const chosen = fitting(action);
    const answer = await act(
      action,
      chosen.map(({ uuid }) => uuid),
    );
    if ("problem" in answer) {
      setProblem(answer.problem);
      return;
    }
    const names = new Map(chosen.map(({ uuid, name }) => [uuid, name]));
    setAsking(null);
    setOutcome({
      action,
      done: answer.done,
      failed: answer.failed.map(({ uuid, message }) => ({ name: names.get(uuid) ?? uuid, message })),
    });
    selection.clear();
    onChanged();
  }

  return (
    <>
      <Box mb={rows.length > 0 ? 8 : 0}>
        <SelectionBar selection={selection}>
          {BULK.filter((action) => may(action === "delete" ? "projects:write" : "projects:send")).map(
            (action) => {
              const count = fitting(action).length;
              const ActionIcon = ICONS[action];
              return (
                <Button
                  key={action}
                  variant="default"
                  leftSection={<ActionIcon size={14} />}
                  disabled={count === 0}
                  title={count === 0 ? t(`bulk.none.${action}`) : undefined}
                  onClick={() => {
                    setProblem(null);
                    setAsking(action);
                  }}
                >
                  {t(`bulk.actions.${action}`, { number: format.number(count) })}
                </Button>
              );
            },
          )}
        </SelectionBar>
      </Box>
      {asking && (
        <Confirm
          opened
          title={t(`bulk.questions.${asking}`, {
            count: fitting(asking).length,
            number: format.number(fitting(asking).length),
          })}
          question={[
            t(`bulk.texts.${asking === "retry" && isFree ? "retryFree" : asking}`),
            fitting(asking).length < rows.length
              ? t("bulk.others", { count: rows.length - fitting(asking).length })
              : "",
          ]
            .filter(Boolean)
            .join(" ")}
          action={t(`bulk.actions.${asking}`, { number: format.number(fitting(asking).length) })}
          problem={problem}
          onConfirm={() => run(asking)}
          onClose={() => setAsking(null)}
        />
      )}
      {outcome && <Results outcome={outcome} onClose={() => setOutcome(null)} />}
    </>
  );
}

/** What became of the projects; without a failure a line is enough. */
function Results({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { action, done, failed } = outcome;
  const line = t(`bulk.done.${action}`, { count: done, number: format.number(done) });
  if (failed.length === 0) {
    return (
      <Alert
        color="teal"
        role="status"
        mt={8}
        withCloseButton
        closeButtonLabel={t("common.close")}
        onClose={onClose}
      >
        {line}
      </Alert>
    );
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("bulk.results")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        {done > 0 && <Text size="sm">{line}</Text>}
        <Text size="sm" fw={600}>
          {t(`bulk.failed.${action}`, { count: failed.length, number: format.number(failed.length) })}
        </Text>
        <List size="sm" spacing={6}>
          {failed.map(({ name, message }, index) => (
            <List.Item key={index} style={{ overflowWrap: "anywhere" }}>
              <b>{name}</b>: {message}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t("common.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

type Failures = readonly { uuid: string; message: string }[];
type Answer = { problem: Problem } | { done: number; failed: Failures };

/** One request takes so many projects. */
const MOST = 100;

function useBulk(): (action: Bulk, ids: string[]) => Promise<Answer> {
  const client = useClient();

  async function ask(action: Bulk, ids: string[]): Promise<Answer> {
    if (action === "stop") {
      const { data, error } = await client.mutation(StopProjects, { ids }).toPromise();
      return answerOf(error, data?.stopSendingProjects?.stopped, data?.stopSendingProjects?.failed);
    }
    if (action === "retry") {
      const { data, error } = await client.mutation(RetryProjects, { ids }).toPromise();
      return answerOf(error, data?.retrySendingProjects?.retried, data?.retrySendingProjects?.failed);
    }
    const { data, error } = await client.mutation(DeleteProjects, { ids }).toPromise();
    return answerOf(error, data?.deleteSendingProjects?.deleted, data?.deleteSendingProjects?.failed);
  }

  return async (action, ids) => {
    let done = 0;
    let failed: Failures = [];
    for (let start = 0; start < ids.length; start += MOST) {
      const answer = await ask(action, ids.slice(start, start + MOST));
      if ("problem" in answer) return answer;
      done += answer.done;
      failed = [...failed, ...answer.failed];
    }
    return { done, failed };
  };
}

function answerOf(
  error: CombinedError | undefined,
  done: readonly string[] = [],
  failed: Failures = [],
): Answer {
  return error ? { problem: problemOf(error) } : { done: done.length, failed };
}
