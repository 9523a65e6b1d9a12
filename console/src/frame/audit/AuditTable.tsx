import { Anchor, Badge, Code, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import type { AuditRowFragment } from "../../gql/graphql";
import { useTranslation } from "../i18n";
import { EmptyList } from "../list/EmptyList";
import { useViewer } from "../session";
import { Time } from "../ui/Time";
import classes from "./audit.module.css";
import { changesOf } from "./changes";
import { pageOf } from "./sentence";
import { useActors } from "./useActors";
import { useNames } from "./useNames";
import { useSentence } from "./useSentence";

interface Props {
  rows: readonly AuditRowFragment[];
  loading: boolean;
  empty: string;
  label: string;
  /** whether rows lead to their object, which all rows of one object's history share */
  objects?: boolean;
}

/** Entries of the audit: when, and who did what, in a sentence; what was called and each changed field on demand. */
export function AuditTable({ rows, loading, empty, label, objects = true }: Props) {
  const { t } = useTranslation();
  const actors = useActors();
  const names = useNames(rows);
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={label} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="7rem">{t("audit.when")}</Table.Th>
            <Table.Th>{t("audit.what")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid}>
              <Table.Td c="dimmed">
                <Time value={row.createdAt} />
              </Table.Td>
              <Table.Td className={classes.anywhere}>
                <Entry
                  row={row}
                  actors={actors}
                  name={(row.objectId && names.get(row.objectId)) || null}
                  leads={objects}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && <EmptyList loading={loading} text={empty} />}
    </Paper>
  );
}

interface EntryProps {
  row: AuditRowFragment;
  actors: ReadonlyMap<string, string>;
  /** the object's name; null: it is not known */
  name: string | null;
  leads: boolean;
}

function Entry({ row, actors, name, leads }: EntryProps) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const [open, setOpen] = useState(false);
  const sentence = useSentence(actors)(row, name);
  const { actorId, ownerId } = row;
  const owner = ownerId === null ? undefined : actors.get(ownerId);
  const isForOther = actorId !== null && ownerId !== null && actorId !== ownerId;
  const behalf =
    isForOther &&
    (ownerId === viewer.uuid ? t("audit.forYou") : owner && t("audit.forOwner", { name: owner }));
  const page = leads ? pageOf(row.objectType, row.objectId) : null;
  return (
    <Stack gap={2}>
      <Text size="sm">
        {sentence}
        {row.result === "refused" && (
          <Badge ml={6} color="red" variant="light" tt="none">
            {row.code ?? t("audit.results.refused")}
          </Badge>
        )}
      </Text>
      <Group gap={8}>
        <Text size="xs" c="dimmed">
          {[behalf, t(`audit.kinds.${row.actorKind}`), row.ip].filter(Boolean).join(" · ")}
        </Text>
        {page && (
          <Anchor component={Link} to={page} size="xs">
            {t("audit.open")}
          </Anchor>
        )}
        <Anchor
          component="button"
          type="button"
          size="xs"
          aria-expanded={open}
          aria-label={t("audit.detailsOf", { sentence })}
          onClick={() => setOpen(!open)}
        >
          {t("audit.details")}
        </Anchor>
      </Group>
      {open && <Details row={row} />}
    </Stack>
  );
}

/** What was called, about what, and each field that was changed. */
function Details({ row }: { row: AuditRowFragment }) {
  const { t, textOr } = useTranslation();
  const shown = (value: string | null) =>
    value === null
      ? t("audit.none")
      : value.startsWith("hmac:")
        ? t("audit.hidden", { hash: value.slice(5, 13) })
        : value;
  return (
    <Stack gap={2} className={classes.details}>
      <Text size="xs">
        <Code>{row.operation}</Code> {row.objectType} {row.objectId && <Code>{row.objectId}</Code>}
      </Text>
      {changesOf(row.changes).map(({ field, before, after }) => (
        <Text size="xs" key={field}>
          <b>{textOr(`audit.sentences.fields.${field}`, field)}</b>: {shown(before)} → {shown(after)}
        </Text>
      ))}
    </Stack>
  );
}
