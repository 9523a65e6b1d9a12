import { Button, Stack, TextInput } from "@mantine/core";
import { IconFileUpload, IconForms, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { useSearch } from "../../frame/search/useSearch";
import { useViewer } from "../../frame/session";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SearchField } from "../../frame/ui/SearchField";
import { useFormat } from "../../frame/values/format";
import type { ProjectChannel } from "../../gql/graphql";
import { ContactDialog } from "./ContactDialog";
import { ContactsTabs } from "./ContactsTabs";
import { ContactTable } from "./ContactTable";
import { FieldDialog } from "./FieldDialog";
import { CHANNELS, parseSearch, searchParams } from "./search";
import { useContacts, useFields } from "./useContacts";

/** The people whom the owner writes to. */
export default function ContactsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { search, change, open: adding, setOpen: setAdding } = useSearch(parseSearch, searchParams, "add");
  const { fields, reload } = useFields();
  const { list, state } = useContacts(search, fields);
  const [naming, setNaming] = useState(false);
  const { may: has } = useViewer();
  const may = has("contacts:write");
  const uploads = has("files:write");
  const filtered = Boolean(search.text.trim() || search.channel || search.field);
  usePageTitle(t("nav.contacts"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.contacts")} about={t("contacts.about")}>
        {may && (
          <>
            {uploads && (
              <Button
                variant="default"
                component={Link}
                to="/contacts/import"
                leftSection={<IconFileUpload size={14} />}
              >
                {t("contactLists.open")}
              </Button>
            )}
            <Button variant="default" leftSection={<IconForms size={14} />} onClick={() => setNaming(true)}>
              {t("contacts.addField")}
            </Button>
            <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
              {t("contacts.add")}
            </Button>
          </>
        )}
      </PageHead>
      <ContactsTabs />
      <FilterBar
        filtered={filtered}
        onClear={() => change({ text: "", channel: null, field: "", value: "" })}
        total={
          state.total === null
            ? null
            : t("contacts.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("contacts.search")} value={search.text} onChange={(text) => change({ text })} />
        <FilterMenu
          label={t("contacts.channel")}
          options={CHANNELS.map((value) => ({ value, label: t(`contacts.channels.${value}`) }))}
          chosen={search.channel ? [search.channel] : []}
          onChange={([channel]) => change({ channel: (channel as ProjectChannel | undefined) ?? null })}
        />
        {fields.length > 0 && (
          <FilterMenu
            label={t("contacts.field")}
            options={fields.map(({ key, label }) => ({ value: key, label: label ?? key }))}
            chosen={search.field ? [search.field] : []}
            onChange={([field]) => change({ field: field ?? "", value: "" })}
          />
        )}
        {search.field && (
          <TextInput
            key={search.field}
            size="xs"
            aria-label={t("contacts.value")}
            placeholder={t("contacts.value")}
            defaultValue={search.value}
            onBlur={(event) => change({ value: event.currentTarget.value })}
            onKeyDown={(event) => event.key === "Enter" && change({ value: event.currentTarget.value })}
          />
        )}
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <ContactTable state={state} filtered={filtered} onAdd={() => setAdding(true)} />
      <LoadMore label={t("contacts.more")} list={list} state={state} />
      {adding && may && (
        <ContactDialog
          fields={fields}
          onClose={() => setAdding(false)}
          onSaved={(uuid) => {
            void list.reload();
            void navigate(`/contacts/${uuid}`, { replace: true });
          }}
        />
      )}
      {naming && (
        <FieldDialog
          onClose={() => setNaming(false)}
          onAdded={() => {
            setNaming(false);
            reload();
          }}
        />
      )}
    </Stack>
  );
}
