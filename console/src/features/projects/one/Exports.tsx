import { Anchor, Button, Group, Loader, Menu, Paper, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import type { ExportFormat, ProjectExportsQuery } from "../../../gql/graphql";
import { CancelExport, ProjectExports, StartExport } from "../documents";
import type { Project } from "./model";

const POLL_MS = 1_500;
const FORMATS: readonly ExportFormat[] = ["csv", "xlsx", "ndjson"];

type Link = NonNullable<ProjectExportsQuery["exportLinks"]>["nodes"][number];

/** Files with the messages or the recipients of the project, made in the background. */
export function Exports({ project }: { project: Project }) {
  const { t } = useTranslation();
  const client = useClient();
  const { data, reload } = useLoaded(ProjectExports, { id: project.uuid });
  const [problem, setProblem] = useState<Problem | null>(null);
  const links = data?.exportLinks?.nodes ?? [];
  const open = links.some(({ status }) => status === "created" || status === "running");
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [open, reload]);

  async function start(source: "messages" | "recipients", format: ExportFormat) {
    setProblem(null);
    const input = { source, format, sendingProjectUuid: project.uuid };
    const { error } = await client.mutation(StartExport, { input }).toPromise();
    if (error) setProblem(problemOf(error));
    reload();
  }
  async function cancel(id: string) {
    await client.mutation(CancelExport, { id }).toPromise();
    reload();
  }

  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("project.exports")}</Title>
        <Group gap={6}>
          {(["messages", "recipients"] as const).map((source) => (
            <Menu key={source}>
              <Menu.Target>
                <Button variant="default" leftSection={<IconDownload size={14} />}>
                  {t(`project.exportSources.${source}`)}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {FORMATS.map((format) => (
                  <Menu.Item key={format} onClick={() => void start(source, format)}>
                    {t(`project.formats.${format}`)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          ))}
        </Group>
      </Group>
      {problem && <ProblemNotice problem={problem} />}
      <Stack gap={6} aria-live="polite">
        {links.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("project.noExports")}
          </Text>
        )}
        {links.map((link) => (
          <ExportRow key={link.uuid} link={link} onCancel={() => void cancel(link.uuid)} />
        ))}
      </Stack>
    </Paper>
  );
}

function ExportRow({ link, onCancel }: { link: Link; onCancel: () => void }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { source, status } = link;
  const running = status === "created" || status === "running";
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">
        {textOr(`project.exportSources.${source}`, source)} · {t(`project.formats.${link.format}`)}{" "}
        <Text span size="xs" c="dimmed">
          <Time value={link.createdAt} />
        </Text>
      </Text>
      {status === "ready" && link.url ? (
        <Anchor href={link.url} download size="sm">
          {t("project.download", { count: link.done, number: format.number(link.done) })}
        </Anchor>
      ) : running ? (
        <Group gap={6}>
          <Loader size={12} />
          <Text size="xs" c="dimmed">
            {t("project.exporting", { done: format.number(link.done), total: format.number(link.total) })}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        </Group>
      ) : (
        <Text size="xs" c={status === "failed" ? "red" : "dimmed"}>
          {link.statusReason ?? t(`project.exportStates.${status === "failed" ? "failed" : "canceled"}`)}
        </Text>
      )}
    </Group>
  );
}
