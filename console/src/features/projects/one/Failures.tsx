import { Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import classes from "../projects.module.css";
import { causesOf } from "../states";
import { CauseRows } from "./Causes";
import type { Project } from "./model";
import { RetryDialog } from "./RetryDialog";

/** Why messages failed or were skipped, and the dialog that sends them again. */
export function Failures({ project, onChanged }: { project: Project; onChanged: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const [asking, setAsking] = useState(false);
  const { counts, status, uuid } = project;
  const causes = causesOf(project.failureReasons ?? []);
  if (causes.length === 0 && counts.unknown === 0) return null;
  const mayRetry = status === "finished" || status === "stopped";
  return (
    <Paper p="sm" className={classes.whole}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("project.failures")}</Title>
        {may("projects:send") && !project.messagesDeletedAt && (
          <Button
            className={classes.onScreen}
            variant="default"
            leftSection={<IconRefresh size={14} />}
            disabled={!mayRetry}
            title={mayRetry ? undefined : t("project.retryLater")}
            onClick={() => setAsking(true)}
          >
            {t("project.retry")}
          </Button>
        )}
      </Group>
      <Table verticalSpacing={6} horizontalSpacing={6} aria-label={t("project.failures")}>
        <Table.Tbody>
          {causes.map((cause) => (
            <CauseRows key={cause.code} cause={cause} uuid={uuid} />
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
      {project.retrySuppressed > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("project.retrySuppressed", {
            count: project.retrySuppressed,
            number: format.number(project.retrySuppressed),
          })}
        </Text>
      )}
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
