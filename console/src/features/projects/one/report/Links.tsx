import { Anchor, Paper, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import { useFormat } from "../../../../frame/values/format";
import classes from "../../projects.module.css";
import { ProjectLinks } from "../documents";
import type { Project } from "../model";

const POLL_MS = 60_000;

/** The links whose clicks are counted, with people and machines apart. */
export function Links({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { data, reload } = useLoaded(ProjectLinks, { id: project.uuid });
  useVisibleInterval(reload, POLL_MS);
  const links = data?.sendingProject?.links ?? [];
  if (links.length === 0) return null;
  const anonymous = links.reduce((sum, link) => sum + link.anonymous, 0);
  return (
    <Paper p="sm" className={classes.whole}>
      <Title order={2} mb="xs">
        {t("project.links")}
      </Title>
      <div className={classes.scroll}>
        <Table verticalSpacing={6} horizontalSpacing={6} aria-label={t("project.links")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("project.link")}</Table.Th>
              <Table.Th ta="right">{t("project.humans")}</Table.Th>
              <Table.Th ta="right">{t("project.machines")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {links.map((link) => (
              <Table.Tr key={link.uuid}>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  <Text size="sm">{link.url}</Text>
                </Table.Td>
                <Clicked project={project} link={link} kind="human" number={link.humans} />
                <Clicked project={project} link={link} kind="machine" number={link.machines} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {t("project.machinesWhat")} {anonymous > 0 && t("project.anonymous", { count: anonymous })}
      </Text>
    </Paper>
  );
}

interface ClickedProps {
  project: Project;
  link: { uuid: string; url: string };
  kind: "human" | "machine";
  number: number;
}

function Clicked({ project, link, kind, number }: ClickedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const text = format.number(number);
  const isLink = number > 0 && may("recipients:read") && !project.messagesDeletedAt;
  return (
    <Table.Td ta="right" fw={600}>
      {isLink ? (
        <Anchor
          component={Link}
          to={`/messages?kind=project&project=${project.uuid}&clicked=${kind}&link=${link.uuid}`}
          size="sm"
          fw={600}
          aria-label={t(kind === "human" ? "project.showHumans" : "project.showMachines", {
            number: text,
            url: link.url,
          })}
        >
          {text}
        </Anchor>
      ) : (
        text
      )}
    </Table.Td>
  );
}
