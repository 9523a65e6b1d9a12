import { Anchor, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { LoadMore } from "../../../frame/list/LoadMore";
import type { PagedList, PagedState } from "../../../frame/list/PagedList";
import { useViewer } from "../../../frame/session";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import type { VersionRowFragment } from "../../../gql/graphql";
import { VersionBadge } from "../VersionBadge";
import classes from "../templates.module.css";
import { CompareDialog } from "./CompareDialog";
import { DeleteVersion } from "./documents";

interface Props {
  list: PagedList<VersionRowFragment>;
  state: PagedState<VersionRowFragment>;
  /** the version that is open */
  open: string | null;
  onDeleted: (uuid: string) => void;
}

/** The versions of a template, newest first. */
export function Versions({ list, state, open, onDeleted }: Props) {
  const { t } = useTranslation();
  const may = useViewer().may("projects:write");
  const [removing, setRemoving] = useState<VersionRowFragment | null>(null);
  const [comparing, setComparing] = useState(false);
  const { rows, problem } = state;
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("templates.versions")}</Title>
        {rows.length > 1 && (
          <Button
            variant="default"
            leftSection={<IconArrowsDiff size={14} />}
            onClick={() => setComparing(true)}
          >
            {t("templates.compare")}
          </Button>
        )}
      </Group>
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      <Table verticalSpacing={4} aria-label={t("templates.versions")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("templates.version")}</Table.Th>
            <Table.Th>{t("templates.languages")}</Table.Th>
            <Table.Th className={classes.wide}>{t("templates.publishedAt")}</Table.Th>
            <Table.Th className={classes.wide}>{t("templates.changed")}</Table.Th>
            <Table.Th w={44}>
              <span className="visually-hidden">{t("templates.delete")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid} data-open={row.uuid === open || undefined}>
              <Table.Td>
                <Anchor
                  component={Link}
                  to={{ search: `?version=${row.uuid}` }}
                  size="sm"
                  underline="never"
                  {...(row.uuid === open && { "aria-current": "true" as const })}
                >
                  <VersionBadge number={row.number ?? null} />
                </Anchor>
                {row.name && (
                  <Text size="xs" className={classes.name}>
                    {row.name}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className={classes.name}>{row.locales.join(", ")}</Table.Td>
              <Table.Td className={classes.wide}>
                {row.publishedAt ? <Time value={row.publishedAt} /> : "—"}
              </Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                <Time value={row.updatedAt} />
              </Table.Td>
              <Table.Td>
                {may && row.number == null && (
                  <RemoveButton
                    label={t("templates.deleteDraft", { locales: row.locales.join(", ") })}
                    onClick={() => setRemoving(row)}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <LoadMore label={t("templates.more")} list={list} state={state} />
      {comparing && <CompareDialog versions={rows} first={open} onClose={() => setComparing(false)} />}
      {removing && (
        <Question
          title={t("templates.deleteDraftTitle")}
          question={t("templates.deleteDraftText")}
          action={t("templates.delete")}
          mutation={DeleteVersion}
          variables={{ id: removing.uuid }}
          onDone={() => {
            list.remove(removing.uuid);
            setRemoving(null);
            onDeleted(removing.uuid);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Paper>
  );
}
