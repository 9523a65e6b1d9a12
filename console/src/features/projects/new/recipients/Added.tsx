import { Alert, Button, Group, Loader, Paper, Table, Text, Title } from "@mantine/core";
import { IconUserMinus } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../new.module.css";
import { RemoveDialog } from "./RemoveDialog";
import type { DraftState } from "../useDraft";

const SHOWN = 5;

/** The recipients that the project has. */
export function Added({
  project,
  onChanged,
}: {
  project: NonNullable<DraftState["project"]>;
  onChanged: () => void;
}) {
  const [removing, setRemoving] = useState(false);
  const { t } = useTranslation();
  const format = useFormat();
  const count = project.recipients?.totalCount ?? 0;
  const nodes = (project.recipients?.nodes ?? []).slice(0, SHOWN);
  const names = [...new Set(nodes.flatMap(({ variables }) => Object.keys(variables as object)))].slice(0, 6);
  return (
    <Paper p="sm">
      <Group justify="space-between" mb={4}>
        <Title order={2} role="status">
          {t("making.recipients", { count, number: format.number(count) })}
        </Title>
        <Button variant="default" leftSection={<IconUserMinus size={14} />} onClick={() => setRemoving(true)}>
          {t("making.removeSome")}
        </Button>
      </Group>
      {removing && (
        <RemoveDialog project={project.uuid} onClose={() => setRemoving(false)} onRemoved={onChanged} />
      )}
      {project.recipientsPending > 0 && (
        <Text size="sm">
          <Loader size={12} me={6} />
          {t("making.pending", { number: format.number(project.recipientsPending) })}
        </Text>
      )}
      {project.recipientsError && <Alert color="red">{project.recipientsError}</Alert>}
      <div className={classes.scroll}>
        <Table verticalSpacing={3} fz="sm" aria-label={t("making.firstRecipients")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("messages.columns.address")}</Table.Th>
              <Table.Th>{t("making.uses.name")}</Table.Th>
              {names.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {nodes.map(({ uuid, address, name, variables }) => (
              <Table.Tr key={uuid}>
                <Table.Td>{address}</Table.Td>
                <Table.Td>{name}</Table.Td>
                {names.map((item) => (
                  <Table.Td key={item}>{shown((variables as Record<string, unknown>)[item])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {count > nodes.length && (
        <Text size="xs" c="dimmed">
          {t("making.moreRecipients", { number: format.number(count - nodes.length) })}
        </Text>
      )}
    </Paper>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
