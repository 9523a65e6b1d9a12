import { Button, Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { CombinedError } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { useChangeParams } from "../../frame/search/useChangeParams";
import { EmptyList } from "../../frame/list/EmptyList";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import { useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { SearchField } from "../../frame/ui/SearchField";
import { EntryDialog, type Read } from "./EntryDialog";
import { EntryTable } from "./EntryTable";
import { SettingsFrame } from "./SettingsFrame";
import type { Entry } from "./values";

/** How entries are read and changed, which settings and stored values do differently. */
export interface EntryStore {
  entries: readonly Entry[];
  /** whether the server has answered */
  loaded: boolean;
  loading: boolean;
  problem: Problem | null;
  retry: () => void;
  reload: () => void;
  read: (key: string) => Promise<Read>;
  /** `before` is what the new value replaces */
  write: (key: string, value: unknown, before: Entry | undefined) => Promise<CombinedError | null>;
  remove: (key: string) => Promise<CombinedError | null>;
}

interface Props {
  store: EntryStore;
  /** the name of the table */
  label: string;
  about: string;
  addLabel: string;
  searchLabel: string;
  /** how many entries there are; null while it is not known */
  total: string | null;
  empty: string;
  expires?: boolean;
  /** the most bytes of a value, as JSON */
  maxBytes: number;
  keyProblem: (key: string) => string | null;
  /** a filter before the search field */
  filter?: ReactNode;
  /** what stands below the table */
  children?: ReactNode;
}

/** Keys and values that can be searched, added, changed, and removed. */
export function Entries({ store, filter, children, ...page }: Props) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [edited, setEdited] = useState<Entry | null>(null);
  const [removed, setRemoved] = useState<Entry | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const notice = useNotice();
  const text = params.get("q") ?? "";
  const adding = params.has("add");

  const changeParams = useChangeParams();
  const change = (name: string, value: string | null) => changeParams({ [name]: value || null }, true);
  function close() {
    setEdited(null);
    if (adding) change("add", null);
  }
  async function remove({ key }: Entry) {
    const error = await store.remove(key);
    setProblem(error && problemOf(error));
    if (error) return;
    setRemoved(null);
    notice.show(t("settings.removed", { key }));
    store.reload();
  }

  return (
    <SettingsFrame add={page.addLabel} onAdd={() => change("add", "1")} notice={notice}>
      <Text size="sm">{page.about}</Text>
      <Group gap={6}>
        {filter}
        <SearchField
          label={page.searchLabel}
          value={text}
          onChange={(value) => change("q", value.trim() || null)}
        />
        <Text size="xs" c="dimmed" ms="auto" role="status">
          {page.total}
        </Text>
      </Group>
      {store.problem && <ProblemNotice problem={store.problem} onRetry={store.retry} />}
      {store.entries.length > 0 && (
        <EntryTable
          expires={page.expires}
          label={page.label}
          entries={store.entries}
          busy={store.loading}
          onEdit={setEdited}
          onRemove={(entry) => {
            setProblem(null);
            setRemoved(entry);
          }}
        />
      )}
      {store.entries.length === 0 && !store.problem && (
        <EmptyList loading={!store.loaded} text={text ? t("settings.nothingFound") : page.empty}>
          {!text && (
            <Button leftSection={<IconPlus size={14} />} onClick={() => change("add", "1")}>
              {page.addLabel}
            </Button>
          )}
        </EmptyList>
      )}
      {children}
      {(adding || edited) && (
        <EntryDialog
          key={edited?.key ?? ""}
          entry={edited}
          title={t(edited ? "settings.editTitle" : "settings.addTitle")}
          maxBytes={page.maxBytes}
          keyProblem={page.keyProblem}
          read={store.read}
          write={store.write}
          onClose={close}
          onSaved={(key) => {
            close();
            notice.show(t("settings.saved", { key }));
            store.reload();
          }}
        />
      )}
      <Confirm
        opened={removed !== null}
        title={t("settings.removeTitle", { key: removed?.key ?? "" })}
        question={t("settings.removeText")}
        action={t("settings.remove")}
        problem={problem}
        onConfirm={async () => {
          if (removed) await remove(removed);
        }}
        onClose={() => setRemoved(null)}
      />
    </SettingsFrame>
  );
}
