import { Group, Loader, Text } from "@mantine/core";
import { useEffect } from "react";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { useFormat } from "../values/format";
import { withMarks } from "../values/marks";
import type { OneImportQuery } from "../../gql/graphql";
import { OneImport } from "./documents";

type ListRead = NonNullable<OneImportQuery["recipientImport"]>;

const POLL_MS = 700;

/** A list of which the server reads the rows: asks again until all are read. */
export function useListRead(uuid: string) {
  const { data, problem, loading, reload } = useLoaded(OneImport, { id: uuid });
  const list = data?.recipientImport;
  const reading = list?.status === "processing";
  useEffect(() => {
    if (!reading) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [reading, reload]);
  return { list, reading, problem, loading };
}

/** How many rows of a list are good, and how many are not. */
export function ListFigures({ list, name }: { list: ListRead; name: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group gap="lg" role="status" aria-label={list.fileName ? withMarks(list.fileName) : name}>
      {list.status === "processing" && <Loader size="xs" aria-label={t("lists.reading")} />}
      <Figure label={t("lists.figures.valid")} value={format.number(list.valid)} />
      <Figure
        label={t("lists.figures.invalid")}
        value={format.number(list.invalid)}
        color={list.invalid > 0 ? "red" : undefined}
      />
      {!list.contacts && (
        <Figure label={t("lists.figures.duplicates")} value={format.number(list.duplicates)} />
      )}
      <Figure label={t("lists.figures.total")} value={format.number(list.total)} />
    </Group>
  );
}

function Figure({ label, value, color }: { label: string; value: string; color?: string | undefined }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} size="lg" c={color}>
        {value}
      </Text>
    </div>
  );
}
