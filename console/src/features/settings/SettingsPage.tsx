import { Select } from "@mantine/core";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { useChangeParams } from "../../frame/search/useChangeParams";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { Scope } from "../../gql/graphql";
import { AllSettings, DeleteSetting, OneSetting, SetSetting } from "./documents";
import { Entries, type EntryStore } from "./Entries";
import { entriesOf, KEY, MAX_VALUE } from "./values";

const POLL_MS = 30_000;
const OWN = "own";

export default function SettingsPage() {
  return (
    <AdminOnly>
      <Settings />
    </AdminOnly>
  );
}

/** Settings of the viewer or of one of the viewer's accounts: programs store them by key. */
function Settings() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const account = params.get("account");
  const holder: { scope: Scope; account: string | null } = {
    scope: account ? "account" : "user",
    account,
  };
  const loaded = useLoaded(AllSettings, holder);
  useVisibleInterval(loaded.reload, POLL_MS);
  const accounts = loaded.data?.me?.accounts?.nodes ?? [];
  const entries = entriesOf(loaded.data?.settings, params.get("q") ?? "");

  const choose = (value: string | null) => changeParams({ account: value === OWN ? null : value });
  const store: EntryStore = {
    entries,
    loaded: Boolean(loaded.data),
    loading: loaded.loading,
    problem: loaded.problem,
    retry: loaded.reload,
    reload: loaded.reload,
    async read(key) {
      const { data, error } = await client
        .query(OneSetting, holder, { requestPolicy: "network-only" })
        .toPromise();
      if (error) return { ok: false, error };
      const now = entriesOf(data?.settings, "").find((entry) => entry.key === key);
      return { ok: true, now };
    },
    async write(key, value) {
      const input = { key, value, scope: holder.scope, accountId: account };
      const { error } = await client.mutation(SetSetting, { input }).toPromise();
      return error ?? null;
    },
    async remove(key) {
      const input = { key, scope: holder.scope, accountId: account };
      const { error } = await client.mutation(DeleteSetting, { input }).toPromise();
      return error ?? null;
    },
  };

  return (
    <Entries
      store={store}
      label={t("nav.settings")}
      about={t("settings.what")}
      addLabel={t("settings.add")}
      searchLabel={t("settings.search")}
      total={
        loaded.data
          ? t("settings.total", { count: entries.length, number: format.number(entries.length) })
          : null
      }
      empty={t("settings.empty")}
      maxBytes={MAX_VALUE}
      keyProblem={(key) => (KEY.test(key) ? null : t("settings.wrongKey"))}
      filter={
        <Select
          size="xs"
          w={230}
          aria-label={t("settings.holder")}
          allowDeselect={false}
          value={account ?? OWN}
          onChange={choose}
          data={[
            { value: OWN, label: t("settings.own") },
            ...accounts.map(({ uuid, name }) => ({ value: uuid, label: t("settings.ofAccount", { name }) })),
          ]}
        />
      }
    />
  );
}
