import { Alert, Button, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { PreviewListQuery } from "../../../../gql/graphql";
import type { Draft } from "../draft";
import { ImportList, PreviewList } from "../documents";
import {
  clashesOf,
  consentIn,
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
import { ConsentColumn } from "./ConsentColumn";
import { ColumnsTable } from "../../../../frame/lists/ColumnsTable";
import { HeaderRow } from "../../../../frame/lists/HeaderRow";
import { RegionSelect, useRegion } from "../../../../frame/lists/RegionSelect";

const USES: readonly Use[] = ["phone", "email", "address", "name", "timezone", "variable", "none"];

interface Props {
  file: string;
  channel: Draft["channel"];
  /** the channels that the list may be sent by instead */
  channels: readonly string[];
  /** whether somebody has chosen the channel */
  chosen: boolean;
  onChannel: (channel: string) => void;
  onRead: (uuid: string) => void;
  onOther: () => void;
}

/** Shows the columns that the server has found in a file, and what each one will be used for. */
export function ListMapping(props: Props) {
  const { file, channel, onOther } = props;
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
            {t("lists.otherList")}
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
        {...props}
        result={result}
        headerRow={headerRow}
        onHeaderRow={setHeaderRow}
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
  const { result, file, channel, channels, chosen, headerRow } = props;
  const { onChannel, onHeaderRow, onRead, onOther } = props;
  const { t } = useTranslation();
  const client = useClient();
  const [columns, setColumns] = useState(() => usesOf(result.columns, result.mapping as Mapping));
  const [region, setRegion] = useRegion();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const clashes = clashesOf(columns);
  const fitting = fittingChannel(columns, channel);
  const consent = consentIn(result.columns);
  // Until somebody chooses a channel, it is the one that the addresses are of.
  const follows = !chosen && fitting !== null && channels.includes(fitting) ? fitting : null;
  useEffect(() => {
    if (follows) onChannel(follows);
  }, [follows, onChannel]);
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
      <Text size="sm">{t("lists.columnsFound", { count: columns.length })}</Text>
      <ColumnsTable
        columns={columns}
        uses={USES.map((value) => ({ value, label: t(`making.uses.${value}`) }))}
        onUse={(index, use) => setColumns(withUse(columns, index, use))}
        detail={({ name, use, variable }, index) =>
          use === "variable" && (
            <TextInput
              size="xs"
              w={140}
              aria-label={t("making.variableOf", { column: name })}
              value={variable}
              error={clashes.includes(variable)}
              onChange={(event) => change(index, { variable: event.currentTarget.value })}
              onBlur={() => change(index, { variable: variableOf(variable) })}
            />
          )
        }
      />
      {!hasAddress(columns) && <Alert color="orange">{t("making.needAddress")}</Alert>}
      {consent !== null && <ConsentColumn name={consent} file={file} />}
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
        <HeaderRow value={headerRow ?? result.headerRow} onChange={onHeaderRow} />
      </Group>
      {problem && <ProblemNotice problem={problem} />}
      <Group justify="space-between">
        <Button variant="default" onClick={onOther}>
          {t("lists.otherList")}
        </Button>
        <Button
          variant={fitting ? "default" : "filled"}
          onClick={read}
          loading={busy}
          disabled={!hasAddress(columns) || clashes.length > 0}
        >
          {t("lists.readList")}
        </Button>
      </Group>
    </>
  );
}
