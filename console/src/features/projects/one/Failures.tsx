import { Anchor, Button, Checkbox, Group, Modal, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/ProblemNotice";
import { useFailure } from "../../messages/failure";
import { RetryProject } from "../documents";
import { causesOf, type Cause } from "../states";
import type { Project } from "./ProjectPage";

/** Why messages failed or were skipped, and the dialog that sends them again. */
export function Failures({ project, onChanged }: { project: Project; onChanged: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const { counts, status, uuid } = project;
  const causes = causesOf(project.failureReasons ?? [], counts);
  if (causes.length === 0 && counts.unknown === 0) return null;
  const mayRetry = status === "finished" || status === "stopped";
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("project.failures")}</Title>
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          disabled={!mayRetry}
          title={mayRetry ? undefined : t("project.retryLater")}
          onClick={() => setAsking(true)}
        >
          {t("project.retry")}
        </Button>
      </Group>
      <Table verticalSpacing={6} horizontalSpacing={6} aria-label={t("project.failures")}>
        <Table.Tbody>
          {causes.map((cause) => (
            <CauseRow key={cause.code} cause={cause} uuid={uuid} />
          ))}
          {counts.unknown > 0 && (
            <Table.Tr>
              <Table.Td>
                <Text size="sm">{t("project.unknownWhat")}</Text>
                <Text size="xs" c="dimmed">
                  {t("message.unknown")}
                </Text>
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                {format.number(counts.unknown)}
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
      {asking && (
        <RetryDialog
          project={project}
          causes={causes}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            onChanged();
          }}
        />
      )}
    </Paper>
  );
}

function CauseRow({ cause, uuid }: { cause: Cause; uuid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const text = useCause(cause.code);
  const state = cause.skipped ? "skipped" : "failed";
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{text.what}</Text>
        <Text size="xs" c="dimmed">
          {t(`states.${state}`)} · {cause.code} · {text.next}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Anchor
          component={Link}
          to={`/messages?kind=project&project=${uuid}&status=${state}`}
          size="sm"
          fw={600}
        >
          {format.number(cause.count)}
        </Anchor>
      </Table.Td>
    </Table.Tr>
  );
}

/** Explains a code of failing or skipping in plain words. */
function useCause(code: string): { what: string; next: string } {
  const { known } = useTranslation();
  const failure = useFailure(code);
  return {
    what: known(`project.causes.${code}.what`, failure?.what ?? code),
    next: known(`project.causes.${code}.next`, failure?.next ?? ""),
  };
}

interface DialogProps {
  project: Project;
  causes: Cause[];
  onClose: () => void;
  onDone: () => void;
}

function RetryDialog({ project, causes, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const skips = causes.filter(({ skipped }) => skipped);
  const [chosen, setChosen] = useState<string[]>([]);
  const [unknown, setUnknown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { failed } = project.counts;
  const count =
    failed +
    (unknown ? project.counts.unknown : 0) +
    skips.filter(({ code }) => chosen.includes(code)).reduce((sum, one) => sum + one.count, 0);

  async function retry() {
    setBusy(true);
    setProblem(null);
    const input = { unknown, skipped: chosen };
    const { error } = await client.mutation(RetryProject, { id: project.uuid, input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else onDone();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t("project.retryTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Text size="sm">{t("project.retryText")}</Text>
        {failed > 0 && (
          <Checkbox
            checked
            readOnly
            label={t("project.retryFailed", { count: failed, number: format.number(failed) })}
            description={t("project.retryFailedHint")}
          />
        )}
        {skips.map((cause) => (
          <SkipBox
            key={cause.code}
            cause={cause}
            checked={chosen.includes(cause.code)}
            onChange={(on) =>
              setChosen(on ? [...chosen, cause.code] : chosen.filter((one) => one !== cause.code))
            }
          />
        ))}
        {project.counts.unknown > 0 && (
          <Checkbox
            checked={unknown}
            onChange={(event) => setUnknown(event.currentTarget.checked)}
            label={t("project.retryUnknown", {
              count: project.counts.unknown,
              number: format.number(project.counts.unknown),
            })}
            description={t("project.retryUnknownHint")}
          />
        )}
        {problem && <ProblemNotice problem={problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button onClick={retry} loading={busy} disabled={count === 0}>
            {t("project.retryCount", { count, number: format.number(count) })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function SkipBox({
  cause,
  checked,
  onChange,
}: {
  cause: Cause;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { what } = useCause(cause.code);
  return (
    <Checkbox
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={t("project.retrySkipped", { what, number: format.number(cause.count) })}
      description={t("project.retrySkippedHint")}
    />
  );
}
