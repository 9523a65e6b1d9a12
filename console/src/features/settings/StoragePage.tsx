import { Button, Center, Group, Loader, Text } from "@mantine/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { useHealed } from "../../frame/api/connection";
import { failedWith, problemOf, type Problem } from "../../frame/api/errors";
import { useFormat } from "../../frame/format";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/Confirm";
import { useNotice } from "../../frame/ui/Notice";
import { ProblemNotice } from "../../frame/ui/ProblemNotice";
import { AdminOnly } from "../../frame/ui/AdminOnly";
import { SearchField } from "../../frame/ui/SearchField";
import { DeleteStoredValue, PutStoredValue, StoredValue, StoredValues } from "./documents";
import { EntryDialog, type Read } from "./EntryDialog";
import { EntryTable } from "./EntryTable";
import { SettingsFrame } from "./SettingsFrame";
import type { Entry } from "./values";

const PAGE = 50;
const MAX_KEY = 256; // characters
const MAX_VALUE = 1024 * 1024; // bytes, as JSON

export default function StoragePage() {
  return (
    <AdminOnly>
      <Storage />
    </AdminOnly>
  );
}

interface Page {
  entries: Entry[];
  next: string | null;
  total: number | null;
  problem: Problem | null;
  loading: boolean;
}

/** Loads the viewer's stored values whose keys begin with `prefix`, page by page. */
function useStored(prefix: string) {
  const client = useClient();
  const [page, setPage] = useState<Page>({
    entries: [],
    next: null,
    total: null,
    problem: null,
    loading: true,
  });
  const latestRequest = useRef(0);
  const load = useCallback(
    async (after: string | null, before: Entry[]) => {
      const request = ++latestRequest.current;
      setPage((now) => ({ ...now, loading: true, problem: null }));
      const where = prefix ? { key: { startsWith: prefix } } : undefined;
      const { data, error } = await client
        .query(StoredValues, { first: PAGE, after, where }, { requestPolicy: "network-only" })
        .toPromise();
      if (request !== latestRequest.current) return;
      const list = data?.storageValues;
      if (!list) {
        setPage((now) => ({ ...now, loading: false, problem: error ? problemOf(error) : null }));
        return;
      }
      setPage({
        entries: [...before, ...list.nodes],
        next: list.pageInfo.hasNextPage ? (list.pageInfo.endCursor ?? null) : null,
        total: list.totalCount,
        problem: null,
        loading: false,
      });
    },
    [client, prefix],
  );
  const reload = useCallback(() => void load(null, []), [load]);
  useEffect(reload, [reload]);
  useHealed(reload);
  return { ...page, reload, more: () => void load(page.next, page.entries) };
}

/** The key-value storage of the viewer. */
function Storage() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [params, setParams] = useSearchParams();
  const prefix = params.get("q") ?? "";
  const stored = useStored(prefix);
  const [edited, setEdited] = useState<Entry | null>(null);
  const [removed, setRemoved] = useState<Entry | null>(null);
  const notice = useNotice();
  const [problem, setProblem] = useState<Problem | null>(null);
  const adding = params.has("add");

  function change(name: string, value: string | null) {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  }
  function close() {
    setEdited(null);
    if (adding) change("add", null);
  }
  async function read(key: string): Promise<Read> {
    const { data, error } = await client
      .query(StoredValue, { key }, { requestPolicy: "network-only" })
      .toPromise();
    if (data?.storageValue) return { ok: true, now: data.storageValue };
    if (!error || failedWith(error, "storageValue", "storage_key_not_found"))
      return { ok: true, now: undefined };
    return { ok: false, problem: problemOf(error) };
  }
  async function write(key: string, value: unknown, before: Entry | undefined): Promise<Problem | null> {
    // A new value would be stored without an expiry, so the rest of the old one's is sent along.
    const input = { key, value, ttlSeconds: before?.ttlSeconds ?? null };
    const { error } = await client.mutation(PutStoredValue, { input }).toPromise();
    return error ? problemOf(error) : null;
  }
  async function remove(entry: Entry) {
    const { error } = await client.mutation(DeleteStoredValue, { key: entry.key }).toPromise();
    if (error) {
      setProblem(problemOf(error));
      return;
    }
    setRemoved(null);
    notice.show(t("settings.removed", { key: entry.key }));
    stored.reload();
  }

  return (
    <SettingsFrame
      add={t("settings.addValue")}
      onAdd={() => change("add", "1")}
      notice={notice.message}
      onNoticeRead={notice.dismiss}
    >
      <Text size="sm">{t("settings.whatStorage")}</Text>
      <Group gap={6}>
        <SearchField
          label={t("settings.searchPrefix")}
          value={prefix}
          onChange={(value) => change("q", value.trim() || null)}
        />
        <Text size="xs" c="dimmed" ms="auto" role="status">
          {stored.total !== null &&
            t("settings.totalValues", { count: stored.total, number: format.number(stored.total) })}
        </Text>
      </Group>
      {stored.problem && <ProblemNotice problem={stored.problem} onRetry={stored.reload} />}
      {stored.entries.length > 0 && (
        <EntryTable
          expires
          label={t("settings.tabs.storage")}
          entries={stored.entries}
          busy={stored.loading}
          onEdit={setEdited}
          onRemove={(entry) => {
            setProblem(null);
            setRemoved(entry);
          }}
        />
      )}
      {stored.entries.length === 0 && !stored.problem && (
        <Center p="lg">
          {stored.loading ? (
            <Loader size="sm" aria-label={t("common.loading")} />
          ) : (
            <Text size="sm" maw={480} ta="center">
              {t(prefix ? "settings.nothingFound" : "settings.emptyStorage")}
            </Text>
          )}
        </Center>
      )}
      {stored.next && (
        <Group justify="center">
          <Button variant="default" loading={stored.loading} onClick={stored.more}>
            {t("settings.more")}
          </Button>
        </Group>
      )}
      {(adding || edited) && (
        <EntryDialog
          key={edited?.key ?? ""}
          entry={edited}
          title={t(edited ? "settings.editTitle" : "settings.addTitle")}
          most={MAX_VALUE}
          keyProblem={(key) => (key && key.length <= MAX_KEY ? null : t("settings.wrongStorageKey"))}
          read={read}
          write={write}
          onClose={close}
          onSaved={(key) => {
            close();
            notice.show(t("settings.saved", { key }));
            stored.reload();
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
