import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import "@mantine/core/styles/Switch.css";
import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { LoadMore } from "../../frame/list/LoadMore";
import { useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { ChangeEventSink, TestEventSink } from "./documents";
import { SinkDialogs, type Opened } from "./SinkDialogs";
import type { Action } from "./SinkMenu";
import { SinkTable } from "./SinkTable";
import { useEventSinks, type SinkRow } from "./useEventSinks";

/** The brokers that events are published to. */
export default function EventSinksPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { may, isAdmin } = useViewer();
  const [params, setParams] = useSearchParams();
  const { list, state } = useEventSinks(isAdmin);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const notice = useNotice();
  usePageTitle(t("nav.eventSinks"));
  const writes = may("events:write");
  const adding = writes && params.has("add");
  const add = () => setParams({ add: "1" });
  const close = () => {
    setOpened(null);
    if (adding) setParams({}, { replace: true });
  };
  const done = (message: string) => {
    close();
    notice.show(message);
    void list.reload();
  };

  async function test(row: SinkRow) {
    setBusy(row.uuid);
    const { data, error } = await client.mutation(TestEventSink, { id: row.uuid }).toPromise();
    setBusy(null);
    if (data?.testEventSink) setOpened({ what: "tested", row, tested: data.testEventSink });
    else if (error) setProblem(problemOf(error));
    void list.reload();
  }

  async function enable(row: SinkRow) {
    setBusy(row.uuid);
    const input = { enabled: true };
    const { error } = await client.mutation(ChangeEventSink, { id: row.uuid, input }).toPromise();
    setBusy(null);
    if (error) setProblem(problemOf(error));
    else done(t("eventSinks.enabled", { name: row.name }));
  }

  const act = (action: Action, row: SinkRow) => {
    setProblem(null);
    notice.dismiss();
    if (action === "test") void test(row);
    else if (action === "enable") void enable(row);
    else setOpened({ what: action, row });
  };

  const button = writes && (
    <Button leftSection={<IconPlus size={14} />} onClick={add}>
      {t("eventSinks.add")}
    </Button>
  );

  return (
    <Stack gap="sm">
      <PageHead title={t("nav.eventSinks")} about={t("eventSinks.about")}>
        {button}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} />}
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <SinkTable state={state} busy={busy} onAct={writes ? act : null} act={button} />
      <LoadMore label={t("eventSinks.more")} list={list} state={state} />
      <SinkDialogs opened={adding ? { what: "add" } : opened} onDone={done} onClose={close} />
    </Stack>
  );
}
