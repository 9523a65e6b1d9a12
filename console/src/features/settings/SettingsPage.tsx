import { Center, Group, Loader, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/format";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/Confirm";
import { useNotice } from "../../frame/ui/Notice";
import { ProblemNotice } from "../../frame/ui/ProblemNotice";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { Scope } from "../../gql/graphql";
import { AdminOnly } from "../../frame/ui/AdminOnly";
import { SearchField } from "../../frame/ui/SearchField";
import { AllSettings, DeleteSetting, OneSetting, SetSetting } from "./documents";
import { EntryDialog, type Read } from "./EntryDialog";
import { EntryTable } from "./EntryTable";
import { SettingsFrame } from "./SettingsFrame";
import { entriesOf, KEY, MAX_VALUE, type Entry } from "./values";

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
  const [params, setParams] = useSearchParams();
  const text = params.get("q") ?? "";
  const account = params.get("account");
  const holder: { scope: Scope; account: string | null } = {
    scope: account ? "account" : "user",
    account,
  };
  const loaded = useLoaded(AllSettings, holder);
  useVisibleInterval(loaded.reload, POLL_MS);
  const [edited, setEdited] = useState<Entry | null>(null);
  const [removed, setRemoved] = useState<Entry | null>(null);
  const notice = useNotice();
  const [problem, setProblem] = useState<Problem | null>(null);
  const accounts = loaded.data?.me?.accounts?.nodes ?? [];
  const entries = entriesOf(loaded.data?.settings, text);
  const adding = params.has("add");

  function change(name: string, value: string | null) {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: name !== "account" });
  }
  function close() {
    setEdited(null);
    if (adding) change("add", null);
  }
  async function read(key: string): Promise<Read> {
    const { data, error } = await client
      .query(OneSetting, holder, { requestPolicy: "network-only" })
      .toPromise();
    if (error) return { ok: false, problem: problemOf(error) };
    const now = entriesOf(data?.settings, "").find((entry) => entry.key === key);
    return { ok: true, now };
  }
  async function write(key: string, value: unknown): Promise<Problem | null> {
    const input = { key, value, scope: holder.scope, accountId: account };
    const { error } = await client.mutation(SetSetting, { input }).toPromise();
    return error ? problemOf(error) : null;
  }
  async function remove(entry: Entry) {
    const input = { key: entry.key, scope: holder.scope, accountId: account };
    const { error } = await client.mutation(DeleteSetting, { input }).toPromise();
    if (error) {
      setProblem(problemOf(error));
      return;
    }
    setRemoved(null);
    notice.show(t("settings.removed", { key: entry.key }));
    loaded.reload();
  }

  return (
    <SettingsFrame
      add={t("settings.add")}
      onAdd={() => change("add", "1")}
      notice={notice.message}
      onNoticeRead={notice.dismiss}
    >
      <Text size="sm">{t("settings.what")}</Text>
      <Group gap={6}>
        <Select
          size="xs"
          w={230}
          aria-label={t("settings.holder")}
          allowDeselect={false}
          value={account ?? OWN}
          onChange={(value) => change("account", value === OWN ? null : value)}
          data={[
            { value: OWN, label: t("settings.own") },
            ...accounts.map(({ uuid, name }) => ({ value: uuid, label: t("settings.ofAccount", { name }) })),
          ]}
        />
        <SearchField
          label={t("settings.search")}
          value={text}
          onChange={(value) => change("q", value.trim() || null)}
        />
        <Text size="xs" c="dimmed" ms="auto" role="status">
          {loaded.data &&
            t("settings.total", { count: entries.length, number: format.number(entries.length) })}
        </Text>
      </Group>
      {loaded.problem && <ProblemNotice problem={loaded.problem} onRetry={loaded.reload} />}
      {entries.length > 0 && (
        <EntryTable
          label={t("nav.settings")}
          entries={entries}
          busy={loaded.loading}
          onEdit={setEdited}
          onRemove={(entry) => {
            setProblem(null);
            setRemoved(entry);
          }}
        />
      )}
      {entries.length === 0 && !loaded.problem && (
        <Center p="lg">
          {loaded.data ? (
            <Text size="sm" maw={480} ta="center">
              {t(text ? "settings.nothingFound" : "settings.empty")}
            </Text>
          ) : (
            <Loader size="sm" aria-label={t("common.loading")} />
          )}
        </Center>
      )}
      {(adding || edited) && (
        <EntryDialog
          key={edited?.key ?? ""}
          entry={edited}
          title={t(edited ? "settings.editTitle" : "settings.addTitle")}
          most={MAX_VALUE}
          keyProblem={(key) => (KEY.test(key) ? null : t("settings.wrongKey"))}
          read={read}
          write={write}
          onClose={close}
          onSaved={(key) => {
            close();
            notice.show(t("settings.saved", { key }));
            loaded.reload();
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
