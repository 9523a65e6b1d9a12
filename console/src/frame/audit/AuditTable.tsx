import { Anchor, Badge, Paper, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditRowFragment } from "../../gql/graphql";
import { useTranslation } from "../i18n";
import { EmptyList } from "../list/EmptyList";
import { useViewer } from "../session";
import { Time } from "../ui/Time";
import classes from "./audit.module.css";
import { changesOf } from "./changes";
import { useActors } from "./useActors";

const FEW = 4; // changes of an entry that are shown at once

interface Props {
  rows: readonly AuditRowFragment[];
  loading: boolean;
  empty: string;
  label: string;
  /** whether the object is said, which all rows of one object's history share */
  objects?: boolean;
}

/** Entries of the audit: when, by whom, what was called, and which fields changed. */
export function AuditTable({ rows, loading, empty, label, objects = true }: Props) {
  const { t } = useTranslation();
  const actors = useActors();
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={label} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("audit.when")}</Table.Th>
            <Table.Th>{t("audit.who")}</Table.Th>
            <Table.Th>{t("audit.operation")}</Table.Th>
            {objects && <Table.Th className={classes.wide}>{t("audit.object")}</Table.Th>}
            <Table.Th className={classes.wide}>{t("audit.changes")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid}>
              <Table.Td c="dimmed">
                <Time value={row.createdAt} />
              </Table.Td>
              <Table.Td className={classes.anywhere}>
                <Actor row={row} actors={actors} />
              </Table.Td>
              <Table.Td className={classes.anywhere}>
                {row.operation}
                {row.result === "refused" && (
                  <Badge ml={6} color="red" variant="light" tt="none">
                    {row.code ?? t("audit.results.refused")}
                  </Badge>
                )}
                <div className={classes.narrow}>
                  <Changes changes={row.changes} />
                </div>
              </Table.Td>
              {objects && (
                <Table.Td className={`${classes.wide} ${classes.anywhere}`}>
                  {row.objectType}
                  {row.objectId && (
                    <Text size="xs" c="dimmed">
                      {row.objectId}
                    </Text>
                  )}
                </Table.Td>
              )}
              <Table.Td className={`${classes.wide} ${classes.anywhere}`}>
                <Changes changes={row.changes} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && <EmptyList loading={loading} text={empty} />}
    </Paper>
  );
}

/** Who it was, on whose behalf, and from where. */
function Actor({ row, actors }: { row: AuditRowFragment; actors: ReadonlyMap<string, string> }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { actorId, ownerId } = row;
  const known = actorId === null ? undefined : actors.get(actorId);
  const name =
    actorId === viewer.uuid ? t("audit.you") : (known ?? row.actorEmail ?? row.actor?.email ?? actorId);
  const owner = ownerId === null ? undefined : actors.get(ownerId);
  const isForOther = actorId !== null && ownerId !== null && actorId !== ownerId;
  const behalf =
    isForOther &&
    (ownerId === viewer.uuid ? t("audit.forYou") : owner && t("audit.forOwner", { name: owner }));
  return (
    <>
      {name ?? t(row.actorKind === "cli" ? "audit.operator" : "audit.nobody")}
      <Text size="xs" c="dimmed">
        {[behalf, t(`audit.kinds.${row.actorKind}`), row.ip].filter(Boolean).join(" · ")}
      </Text>
    </>
  );
}

function Changes({ changes }: { changes: unknown }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const all = changesOf(changes);
  const left = open || all.length <= FEW + 1 ? 0 : all.length - FEW;
  return (
    <Stack gap={2}>
      {all.slice(0, all.length - left).map(({ field, before, after }) => (
        <Text size="xs" key={field}>
          <b>{field}</b>: {before ?? t("audit.none")} → {after ?? t("audit.none")}
        </Text>
      ))}
      {left > 0 && (
        <Anchor component="button" type="button" size="xs" ta="start" onClick={() => setOpen(true)}>
          {t("audit.moreChanges", { number: left })}
        </Anchor>
      )}
    </Stack>
  );
}
