import { Alert, Button, Checkbox, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { ColumnsTable } from "../../../frame/lists/ColumnsTable";
import { HeaderRow } from "../../../frame/lists/HeaderRow";
import { RegionSelect, useRegion } from "../../../frame/lists/RegionSelect";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { ContactMapping, PreviewContactsQuery } from "../../../gql/graphql";
import { useFields } from "../useContacts";
import { ImportContacts, PreviewContacts } from "./documents";
import { hasIdentity, isField, mappingOf, USES, usesOf, withUse, wrongFields } from "./mapping";
import { NO_SUBSCRIPTION, subscribeOf, Subscription } from "./Subscription";

interface Props {
  /** uuid of the uploaded file */
  file: string;
  onRead: (uuid: string, topicUuids: readonly string[], headerRow: number | null) => void;
  onOther: () => void;
}

/** Shows the columns that the server has found, what each becomes, and the topics that the people want. */
export function ContactColumns({ file, onRead, onOther }: Props) {
  const { t } = useTranslation();
  const [headerRow, setHeaderRow] = useState<number | null>(null);
  const { data, problem, reload } = useLoaded(PreviewContacts, { input: { fileUuid: file, headerRow } });
  const result = data?.previewContactImport;
  return (
    <>
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!result && !problem && <Loader size="sm" aria-label={t("common.loading")} />}
      {result ? (
        <Columns
          key={JSON.stringify([result.headerRow, result.columns.length, result.mapping])}
          {...{ file, result, headerRow, onRead, onOther }}
          onHeaderRow={setHeaderRow}
        />
      ) : (
        <Group>
          <Button variant="default" onClick={onOther}>
            {t("lists.otherList")}
          </Button>
        </Group>
      )}
    </>
  );
}

interface ColumnsProps extends Props {
  result: NonNullable<PreviewContactsQuery["previewContactImport"]>;
  headerRow: number | null;
  onHeaderRow: (row: number) => void;
}

function Columns({ file, result, headerRow, onHeaderRow, onRead, onOther }: ColumnsProps) {
  const { t } = useTranslation();
  const client = useClient();
  // Whoever comes from a topic has chosen it.
  const topic = useSearchParams()[0].get("topic");
  const keys = useContentKey();
  const { fields } = useFields();
  const [columns, setColumns] = useState(() => usesOf(result.columns, result.mapping as ContactMapping));
  const [region, setRegion] = useRegion();
  const form = useRequestForm({
    initialValues: {
      createFields: true,
      ...NO_SUBSCRIPTION,
      topicUuids: topic ? topic.split(",") : [],
    },
  });
  const { topicUuids, evidence } = form.getValues();
  const wrong = wrongFields(columns);
  const isNew = (field: string) => !fields.some(({ key }) => key === field);
  const hasNew = columns.some((column) => isField(column) && isNew(column.field));

  const read = form.sends(async (values) => {
    const input = {
      fileUuid: file,
      headerRow,
      region,
      mapping: mappingOf(columns),
      createFields: hasNew && values.createFields,
      subscribe: subscribeOf(values),
    };
    const { data, error } = await client.mutation(ImportContacts, { input }, keys.of(input)).toPromise();
    if (!data?.importContacts) return error;
    keys.renew();
    onRead(data.importContacts.uuid, values.topicUuids, headerRow);
  });

  return (
    <form onSubmit={read} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t("lists.columnsFound", { count: columns.length })}</Text>
        <ColumnsTable
          columns={columns}
          uses={USES.map((value) => ({ value, label: t(`contactLists.uses.${value}`) }))}
          onUse={(index, use) => setColumns(withUse(columns, index, use))}
          detail={(column, index) =>
            isField(column) && (
              <TextInput
                size="xs"
                w={140}
                aria-label={t("contactLists.fieldOf", { column: column.name })}
                value={column.field}
                error={wrong.has(column.field)}
                onChange={({ currentTarget: { value } }) =>
                  setColumns(columns.map((one, place) => (place === index ? { ...one, field: value } : one)))
                }
              />
            )
          }
        />
        {!hasIdentity(columns) && <Alert color="orange">{t("contactLists.needIdentity")}</Alert>}
        {wrong.size > 0 && <Alert color="orange">{t("contactLists.wrongFields")}</Alert>}
        <Group align="flex-end" gap="sm">
          <RegionSelect value={region} onChange={setRegion} />
          <HeaderRow value={headerRow ?? result.headerRow} onChange={onHeaderRow} />
        </Group>
        {hasNew && (
          <Checkbox
            label={t("contactLists.createFields")}
            description={t("contactLists.createFieldsHint")}
            {...form.getInputProps("createFields", { type: "checkbox" })}
          />
        )}
        <Subscription form={form} hasConsent={Boolean(mappingOf(columns).consent)} />
        {form.problem && <ProblemNotice problem={form.problem} />}
        <Group justify="space-between">
          <Button variant="default" onClick={onOther}>
            {t("lists.otherList")}
          </Button>
          <Button
            type="submit"
            loading={form.busy}
            disabled={!hasIdentity(columns) || wrong.size > 0 || (topicUuids.length > 0 && !evidence.trim())}
          >
            {t("contactLists.start")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
