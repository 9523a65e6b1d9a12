import { Button, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyFile } from "../../../frame/api/consoleFiles";
import { ExportsButton } from "../../../frame/files/ExportsButton";
import { useTranslation } from "../../../frame/i18n";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useSearch } from "../../../frame/search/useSearch";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Choices, choicesFor, DirectTotal, RecordTotal } from "../documents";
import { useSelection } from "../../../frame/list/useSelection";
import { useViewer } from "../../../frame/session";
import { BulkBar } from "./BulkBar";
import { Filters } from "./Filters";
import { MessageTable } from "./MessageTable";
import { OtherList } from "./OtherList";
import {
  countFilters,
  directWhere,
  inOtherList,
  parseSearch,
  recipientIn,
  recordWhere,
  searchParams,
  type Search,
} from "../search";
import { useFeed } from "./useFeed";

const SendDialog = lazyFile(() =>
  import("../send/SendDialog").then(({ SendDialog }) => ({ default: SendDialog })),
);
const KINDS = ["direct", "project"] as const;
const PARSE = {
  direct: (params: URLSearchParams) => parseSearch(withKind(params, "direct")),
  project: (params: URLSearchParams) => parseSearch(withKind(params, "project")),
};
const COUNTED = 100_000; // the server counts no further

export default function MessagesPage() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { may } = viewer;
  // A member may see only the messages of projects, or only the others.
  const kinds = KINDS.filter((kind) => may(kind === "direct" ? "messages:read" : "recipients:read"));
  const {
    search,
    params,
    change,
    open: sending,
    setOpen: setSending,
  } = useSearch(kinds.length > 1 ? parseSearch : PARSE[kinds[0] ?? "direct"], searchParams, "send");
  const key = searchParams(search).toString();
  const { feed, state, fresh } = useFeed(search);
  const choices = useLoaded(Choices, choicesFor(viewer));
  const total = useTotal(search, key, state.complete ? state.rows.length : null);
  const selection = useSelection(state.rows);
  usePageTitle(t("nav.messages"));
  // Only beside a short list: nobody misses the rows of another one beside a hundred thousand.
  const other =
    kinds.length > 1 && countFilters(search) > 0 && (search.to || state.complete)
      ? inOtherList(search)
      : null;

  return (
    <>
      <Stack gap={8}>
        <PageHead title={t("nav.messages")}>
          {may("messages:read") && (
            <ExportsButton
              source="messages"
              title={t("messages.export")}
              heading={t("messages.exportTitle")}
              empty={t("messages.noExports")}
              label={t(search.kind === "direct" ? "messages.exportDirect" : "messages.exportProject")}
              filters={{ kind: search.kind }}
              byMonth
            />
          )}
          {may("messages:send") && (
            <Button leftSection={<IconSend size={14} />} onClick={() => setSending(true)}>
              {t("send.title")}
            </Button>
          )}
        </PageHead>
        <Filters
          kinds={kinds}
          search={search}
          choices={choices.data}
          total={<Total value={total} />}
          onChange={change}
        />
      </Stack>
      {other && <OtherList key={key} search={other} />}
      <BulkBar selection={selection} />
      <div style={{ marginBlockStart: 8 }}>
        <MessageTable
          key={key}
          feed={feed}
          state={{ ...state, total }}
          fresh={fresh}
          filtered={countFilters(search) > 0 || search.kind === "project" || !may("messages:send")}
          selection={selection}
          onSend={() => setSending(true)}
        />
      </div>
      {sending && may("messages:send") && (
        <Suspense>
          <SendDialog
            choices={choices.data}
            recipient={recipientIn(params)}
            onClose={() => setSending(false)}
            onSent={() => void feed.poll()}
          />
        </Suspense>
      )}
    </>
  );
}

function withKind(params: URLSearchParams, kind: Search["kind"]): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set("kind", kind);
  return next;
}

/** The number of messages that match; null while it is not known. */
function useTotal(search: Search, key: string, loaded: number | null): number | null {
  // One time for each search, so that the query stays the same when the page renders again.
  const [snapshot, setSnapshot] = useState(() => ({ key, at: Date.now() }));
  if (snapshot.key !== key) setSnapshot({ key, at: Date.now() });
  const now = snapshot.at;
  const direct = search.kind === "direct";
  const ofDirect = useLoaded(DirectTotal, { where: directWhere(search, now) }, !direct || loaded !== null);
  const ofRecords = useLoaded(RecordTotal, { where: recordWhere(search, now) }, direct || loaded !== null);
  if (loaded !== null) return loaded;
  const counted = direct ? ofDirect : ofRecords;
  if (counted.loading) return null;
  return (direct ? ofDirect.data?.messages?.totalCount : ofRecords.data?.messageRecords?.totalCount) ?? null;
}

function Total({ value }: { value: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Text size="xs" c="dimmed" role="status">
      {value !== null &&
        (value >= COUNTED
          ? t("messages.totalMore", { number: format.number(COUNTED) })
          : t("messages.total", { count: value, number: format.number(value) }))}
    </Text>
  );
}
