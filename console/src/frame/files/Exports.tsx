import { Anchor, Button, Group, Loader, Menu, Paper, Stack, Text, Title } from "@mantine/core";
import { IconColumns, IconDownload } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../api/errors";
import { useLoaded } from "../api/useLoaded";
import { withMarks } from "../values/marks";
import { useFormat } from "../values/format";
import { useTranslation } from "../i18n";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import { Time } from "../ui/Time";
import type { ExportFilesQuery, ExportFormat, ExportLinkWhere } from "../../gql/graphql";
import { ChooseColumns } from "./ChooseColumns";
import { CancelExport, ExportFiles, StartExport } from "./documents";
import { FORMATS, type ExportSource } from "./formats";

const POLL_MS = 1_500;
const LISTED = 10;
const READ = 100; // of which those with other filters are left out

type Link = NonNullable<ExportFilesQuery["exportLinks"]>["nodes"][number];

interface Props {
  title: string;
  /** shown while there is no file yet */
  empty: string;
  sources: readonly ExportSource[];
  /** which files are listed */
  where: ExportLinkWhere;
  /** the project whose rows are exported */
  project?: string;
  /** which rows are exported */
  filters?: Record<string, string>;
}

/** Files with rows of these sources, made in the background: starts one, shows how far it is, downloads it. */
export function Exports({ title, empty, sources, where, project, filters = {} }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const { data, reload } = useLoaded(ExportFiles, { where, first: READ });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [choosing, setChoosing] = useState<ExportSource | null>(null);
  const links = (data?.exportLinks?.nodes ?? [])
    .filter((link) => hasFilters(link.filters, filters))
    .slice(0, LISTED);
  const open = links.some(({ status }) => status === "created" || status === "running");
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [open, reload]);

  const labelOf = ({ source }: Link) => sources.find((item) => item.source === source)?.label ?? source;

  /** Returns the problem, if there was one. */
  async function begin(source: string, format: ExportFormat, columns: string[] = []) {
    const input = { source, format, columns, filters, sendingProjectUuid: project };
    const { error } = await client.mutation(StartExport, { input }).toPromise();
    reload();
    return error ? problemOf(error) : null;
  }
  async function start(source: string, format: ExportFormat) {
    setProblem(null);
    setProblem(await begin(source, format));
  }
  async function cancel(id: string) {
    await client.mutation(CancelExport, { id }).toPromise();
    reload();
  }

  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{title}</Title>
        <Group gap={6}>
          {sources.map((item) => (
            <Menu key={item.source}>
              <Menu.Target>
                <Button variant="default" leftSection={<IconDownload size={14} />}>
                  {item.label}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {FORMATS.map((format) => (
                  <Menu.Item key={format} onClick={() => void start(item.source, format)}>
                    {t(`exports.formats.${format}`)}
                  </Menu.Item>
                ))}
                <Menu.Divider />
                <Menu.Item leftSection={<IconColumns size={14} />} onClick={() => setChoosing(item)}>
                  {t("exports.chooseColumns")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ))}
        </Group>
      </Group>
      {problem && <ProblemNotice problem={problem} />}
      <Stack gap={6} mih={22} aria-live="polite">
        {data && links.length === 0 && (
          <Text size="sm" c="dimmed">
            {empty}
          </Text>
        )}
        {links.map((link) => (
          <ExportRow
            key={link.uuid}
            link={link}
            label={labelOf(link)}
            onCancel={() => void cancel(link.uuid)}
          />
        ))}
      </Stack>
      {choosing && (
        <ChooseColumns
          source={choosing}
          onStart={async (format, columns) => {
            const refused = await begin(choosing.source, format, columns);
            if (!refused) setChoosing(null);
            return refused;
          }}
          onClose={() => setChoosing(null)}
        />
      )}
    </Paper>
  );
}

function ExportRow({ link, label, onCancel }: { link: Link; label: string; onCancel: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { status } = link;
  const running = status === "created" || status === "running";
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">
        {label} · {t(`exports.formats.${link.format}`)}{" "}
        <Text span size="xs" c="dimmed">
          <Time value={link.createdAt} />
        </Text>
      </Text>
      {status === "ready" && link.url ? (
        <Anchor href={link.url} download size="sm">
          {t("exports.download", { count: link.done, number: format.number(link.done) })}
        </Anchor>
      ) : running ? (
        <Group gap={6}>
          <Loader size={12} />
          <Text size="xs" c="dimmed">
            {t("exports.progress", { done: format.number(link.done), total: format.number(link.total) })}
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        </Group>
      ) : (
        <Text size="xs" c={status === "failed" ? "red" : "dimmed"}>
          {link.statusReason
            ? withMarks(link.statusReason)
            : t(`exports.states.${status === "failed" ? "failed" : "canceled"}`)}
        </Text>
      )}
    </Group>
  );
}

/** Returns whether an export has all of these filters. */
function hasFilters(of: unknown, filters: Record<string, string>): boolean {
  const own = of as Record<string, unknown>;
  return Object.entries(filters).every(([name, value]) => own[name] === value);
}
