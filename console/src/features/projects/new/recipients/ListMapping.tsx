import {
  Alert,
  Button,
  Group,
  Loader,
  NumberInput,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { PreviewListQuery } from "../../../../gql/graphql";
import type { Draft } from "../draft";
import classes from "../new.module.css";
import { ImportList, PreviewList } from "../documents";
import {
  clashesOf,
  fittingChannel,
  hasAddress,
  mappingOf,
  usesOf,
  variableOf,
  withUse,
  type MappedColumn,
  type Mapping,
  type Use,
} from "./mapping";
import { RegionSelect, useRegion } from "./RegionSelect";

interface Props {
  file: string;
  channel: Draft["channel"];
  /** the channels that the list may be sent by instead */
  channels: readonly string[];
  onChannel: (channel: string) => void;
  onRead: (uuid: string) => void;
  onOther: () => void;
}

/** Shows the columns that the server has found in a file, and what each one will be used for. */
export function ListMapping({ file, channel, channels, onChannel, onRead, onOther }: Props) {
  const { t } = useTranslation();
  const [headerRow, setHeaderRow] = useState<number | null>(null);
  const preview = useLoaded(PreviewList, { input: { fileUuid: file, headerRow, channel } });
  const result = preview.data?.previewImport;
  if (!result) {
    return (
      <Stack gap="sm">
        {preview.problem ? (
          <ProblemNotice problem={preview.problem} onRetry={preview.reload} />
        ) : (
          <Loader size="sm" aria-label={t("common.loading")} />
        )}
        <Group>
          <Button variant="default" onClick={onOther}>
            {t("making.otherList")}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      {preview.problem && <ProblemNotice problem={preview.problem} />}
      <Columns
        key={JSON.stringify([result.headerRow, result.columns.length, result.mapping])}
        result={result}
        file={file}
        channel={channel}
        channels={channels}
        onChannel={onChannel}
        headerRow={headerRow}
        onHeaderRow={setHeaderRow}
        onRead={onRead}
        onOther={onOther}
      />
    </Stack>
  );
}

interface ColumnsProps extends Props {
  result: NonNullable<PreviewListQuery["previewImport"]>;
  headerRow: number | null;
  onHeaderRow: (row: number | null) => void;
}

function Columns(props: ColumnsProps) {
  const { result, file, channel, channels, headerRow } = props;
  const { onChannel, onHeaderRow, onRead, onOther } = props;
  const { t } = useTranslation();
  const client = useClient();
  const [columns, setColumns] = useState(() => usesOf(result.columns, result.mapping as Mapping));
  const [region, setRegion] = useRegion();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const clashes = clashesOf(columns);
  const fitting = fittingChannel(columns, channel);
  const change = (index: number, part: Partial<MappedColumn>) =>
    setColumns(columns.map((column, position) => (position === index ? { ...column, ...part } : column)));

  async function read() {
    setBusy(true);
    setProblem(null);
    // Email addresses have no country: it is neither asked for nor sent.
    const own = channel === "email" ? null : region;
    const input = { fileUuid: file, mapping: mappingOf(columns), region: own, headerRow, channel };
    const result = await client.mutation(ImportList, { input }).toPromise();
    setBusy(false);
    if (result.data?.importRecipients) onRead(result.data.importRecipients.uuid);
    else if (result.error) setProblem(problemOf(result.error));
  }

  return (
    <>
      <Text size="sm">{t("making.columnsFound", { count: columns.length })}</Text>
      <div className={classes.scroll}>
        <Table verticalSpacing={6} aria-label={t("making.columnsLabel")} className={classes.columnsTable}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("making.column")}</Table.Th>
              <Table.Th>{t("making.samples")}</Table.Th>
              <Table.Th>{t("making.usedAs")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column, index) => (
              <ColumnRow
                key={`${index}-${column.name}`}
                column={column}
                clash={column.use === "variable" && clashes.includes(column.variable)}
                onUse={(use) => setColumns(withUse(columns, index, use))}
                onVariable={(variable) => change(index, { variable })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {!hasAddress(columns) && <Alert color="orange">{t("making.needAddress")}</Alert>}
      {fitting && channels.includes(fitting) && (
        <Alert color="orange" role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm">{t(`fitting.otherKind.${fitting}`)}</Text>
            <Button size="compact-sm" onClick={() => onChannel(fitting)}>
              {t(`fitting.sendBy.${fitting}`)}
            </Button>
          </Group>
        </Alert>
      )}
      <Group align="flex-end" gap="sm">
        {channel !== "email" && <RegionSelect value={region} onChange={setRegion} />}
        <NumberInput
          w={200}
          label={t("making.headerRow")}
          placeholder={t("making.noHeader")}
          min={1}
          max={100}
          allowDecimal={false}
          value={headerRow ?? result.headerRow ?? ""}
          onChange={(value) => {
            if (typeof value === "number" && value !== result.headerRow) onHeaderRow(value);
          }}
        />
      </Group>
      {problem && <ProblemNotice problem={problem} />}
      <Group justify="space-between">
        <Button variant="default" onClick={onOther}>
          {t("making.otherList")}
        </Button>
        <Button
          variant={fitting ? "default" : "filled"}
          onClick={read}
          loading={busy}
          disabled={!hasAddress(columns) || clashes.length > 0}
        >
          {t("making.readList")}
        </Button>
      </Group>
    </>
  );
}

const USES: readonly Use[] = ["phone", "email", "address", "name", "timezone", "variable", "none"];

interface RowProps {
  column: MappedColumn;
  clash: boolean;
  onUse: (use: Use) => void;
  onVariable: (name: string) => void;
}

function ColumnRow({ column, clash, onUse, onVariable }: RowProps) {
  const { t } = useTranslation();
  return (
    <Table.Tr data-unused={column.use === "none" || undefined}>
      <Table.Td fw={500}>{column.name}</Table.Td>
      <Table.Td c="dimmed" className={classes.samples}>
        {column.samples.slice(0, 3).join(" · ")}
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Select
            size="xs"
            w={150}
            aria-label={t("making.useOf", { column: column.name })}
            value={column.use}
            allowDeselect={false}
            data={USES.map((value) => ({ value, label: t(`making.uses.${value}`) }))}
            onChange={(use) => onUse(use ?? column.use)}
          />
          {column.use === "variable" && (
            <TextInput
              size="xs"
              w={140}
              aria-label={t("making.variableOf", { column: column.name })}
              value={column.variable}
              error={clash}
              onChange={(event) => onVariable(event.currentTarget.value)}
              onBlur={() => onVariable(variableOf(column.variable))}
            />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
