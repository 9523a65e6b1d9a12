import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { failedWith } from "../../frame/api/errors";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { LoadMore } from "../../frame/list/LoadMore";
import { usePagedQuery } from "../../frame/list/PagedList";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { DeleteStoredValue, PutStoredValue, StoredValue, StoredValues } from "./documents";
import { Entries, type EntryStore } from "./Entries";

const PAGE = 50;
const POLL_MS = 30_000;
const MAX_KEY = 256; // characters
const MAX_VALUE = 1024 * 1024; // bytes, as JSON

export default function StoragePage() {
  return (
    <AdminOnly>
      <Storage />
    </AdminOnly>
  );
}

/** The viewer's stored values whose keys begin with `prefix`, page by page. */
function useStored(prefix: string) {
  return usePagedQuery(
    `storage?${prefix}`,
    StoredValues,
    (after) => ({ first: PAGE, after, where: prefix ? { key: { startsWith: prefix } } : undefined }),
    // A key stands for its row: stored values have no ids.
    ({ storageValues: page }) =>
      page && { ...page, nodes: page.nodes.map((node) => ({ ...node, uuid: node.key })) },
    { pollMs: POLL_MS, pollWith: "update" },
  );
}

/** The key-value storage of the viewer. */
function Storage() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [params] = useSearchParams();
  const { list, state } = useStored(params.get("q") ?? "");
  const store: EntryStore = {
    entries: state.rows,
    loaded: state.complete || state.rows.length > 0,
    loading: state.loading,
    problem: state.problem,
    retry: () => void list.retry(),
    reload: () => void list.reload(),
    async read(key) {
      const { data, error } = await client
        .query(StoredValue, { key }, { requestPolicy: "network-only" })
        .toPromise();
      if (data?.storageValue) return { ok: true, now: data.storageValue };
      if (!error || failedWith(error, "storageValue", "storage_key_not_found"))
        return { ok: true, now: undefined };
      return { ok: false, error };
    },
    async write(key, value, before) {
      // A new value would be stored without an expiry, so the rest of the old one's is sent along.
      const input = { key, value, ttlSeconds: before?.ttlSeconds ?? null };
      const { error } = await client.mutation(PutStoredValue, { input }).toPromise();
      return error ?? null;
    },
    async remove(key) {
      const { error } = await client.mutation(DeleteStoredValue, { key }).toPromise();
      return error ?? null;
    },
  };

  return (
    <Entries
      expires
      store={store}
      label={t("settings.tabs.storage")}
      about={t("settings.whatStorage")}
      addLabel={t("settings.addValue")}
      searchLabel={t("settings.searchPrefix")}
      total={
        state.total === null
          ? null
          : t("settings.totalValues", { count: state.total, number: format.number(state.total) })
      }
      empty={t("settings.emptyStorage")}
      maxBytes={MAX_VALUE}
      keyProblem={(key) => (key && key.length <= MAX_KEY ? null : t("settings.wrongStorageKey"))}
    >
      <LoadMore label={t("settings.more")} list={list} state={state} />
    </Entries>
  );
}
