import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { useLoaded } from "../api/useLoaded";
import { useFormat } from "../values/format";
import { useTranslation } from "../i18n";
import { withMarks } from "../values/marks";
import { badRowsCsv, type BadRow } from "./badRows";
import { BadRows } from "./documents";
import { saveFile } from "./saveFile";
import classes from "./lists.module.css";

const SHOWN = 8;
const PAGE = 100;
const MOST = 20_000; // more than that nobody corrects by hand

/** The rows of a list that can't be used, each with its reason; all of them as a file. */
export function BadRowList({
  uuid,
  count,
  fileName,
}: {
  uuid: string;
  count: number;
  fileName: string | null;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const { data } = useLoaded(BadRows, { id: uuid, first: SHOWN });
  const rows = data?.recipientImport?.rows?.nodes ?? [];

  async function download() {
    setBusy(true);
    const all: BadRow[] = [];
    let after: string | null = null;
    do {
      const result: Awaited<ReturnType<typeof page>> = await page(after);
      if (!result) break;
      all.push(...result.nodes);
      after = result.pageInfo.hasNextPage ? (result.pageInfo.endCursor ?? null) : null;
    } while (after && all.length < MOST);
    setBusy(false);
    const name = (fileName ?? "recipients").replace(/\.\w+$/, "");
    saveFile(
      `${name}-bad-rows.csv`,
      badRowsCsv(all, [t("lists.lineNumber"), t("lists.reason"), t("lists.code")]),
    );
  }
  async function page(after: string | null) {
    const result = await client.query(BadRows, { id: uuid, first: PAGE, after }).toPromise();
    return result.data?.recipientImport?.rows ?? null;
  }

  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {t("lists.badRows", { count, number: format.number(count) })}
        </Text>
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconDownload size={14} />}
          loading={busy}
          onClick={download}
        >
          {t("lists.downloadBad")}
        </Button>
      </Group>
      <div className={classes.scroll}>
        <Table verticalSpacing={3} fz="sm" aria-label={t("lists.badRowsLabel")}>
          <Table.Tbody>
            {rows.map(({ line, error }) => (
              <Table.Tr key={line}>
                <Table.Td w={90} c="dimmed">
                  {t("lists.line", { number: line })}
                </Table.Td>
                <Table.Td>{error && withMarks(error.message)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {count > rows.length && rows.length > 0 && (
        <Text size="xs" c="dimmed">
          {t("lists.moreBad", { number: format.number(count - rows.length) })}
        </Text>
      )}
    </Stack>
  );
}
