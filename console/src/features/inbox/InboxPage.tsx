import { asAddress } from "../../frame/values/phone";
import { Anchor, Button, Center, Loader, Stack } from "@mantine/core";
import { IconMessagePlus } from "@tabler/icons-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useClient, useSubscription } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useSearch } from "../../frame/search/useSearch";
import { useViewer } from "../../frame/session";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useThrottled } from "../../frame/ui/useInterval";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { Empty } from "../../frame/ui/page/Empty";
import type { InboxChangedSubscription } from "../../gql/graphql";
import { ChatList } from "./ChatList";
import { moveConversation, openedConversation } from "./conversation/conversation";
import { ConversationPane } from "./conversation/ConversationPane";
import { InboxAccountChanged, InboxAccounts, InboxChanged, InboxPageOfChats } from "./documents";
import { AnswersDialog } from "./answers/AnswersDialog";
import { moveDraft } from "./composer/drafts";
import { InboxLabels } from "./labels/documents";
import { LabelsDialog } from "./labels/LabelsDialog";
import classes from "./inbox.module.css";
import { chatPath, isChatWith, type Account, type Chat, type Label, type Message } from "./model";
import { NotifyMenu } from "./notifications/NotifyMenu";
import { tell } from "./notifications/notify";
import { OpenChat } from "./OpenChat";
import { parseSearch, searchParams } from "./search";
import { useChats } from "./useChats";

const AFTER_SIGNAL_MS = 500;
const NO_LABELS: readonly Label[] = [];

/** The chats of all messenger accounts, and one of them. */
export default function InboxPage() {
  const { t } = useTranslation();
  usePageTitle(t("inbox.title"));
  const accounts = useLoaded(InboxAccounts, {});
  const reload = useThrottled(accounts.reload, AFTER_SIGNAL_MS);
  useSubscription({ query: InboxAccountChanged }, (_before, event) => {
    const { uuid, state } = event.messengerAccountChanged.account;
    const existing = accounts.data?.messengerAccounts?.nodes.find((item) => item.uuid === uuid);
    if (accounts.data && existing?.state !== state) reload();
    return event;
  });
  const all = accounts.data?.messengerAccounts?.nodes;
  if (!all) {
    if (accounts.problem) return <ProblemNotice problem={accounts.problem} onRetry={accounts.reload} />;
    return (
      <Center mih="40dvh">
        <Loader size="sm" />
      </Center>
    );
  }
  return all.length > 0 ? <Inbox accounts={all} /> : <NoAccount />;
}

function NoAccount() {
  const { t } = useTranslation();
  const { may } = useViewer();
  return (
    <Stack gap="xs">
      <PageHead title={t("inbox.title")} />
      <Empty text={t("inbox.noAccount")} hint={t("inbox.noAccountText")}>
        {may("messengers:write") && (
          <Button component={Link} to="/messengers/new">
            {t("inbox.connect")}
          </Button>
        )}
      </Empty>
    </Stack>
  );
}

function Inbox({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const viewer = useViewer();
  const { account: accountId, chat } = useParams();
  const {
    search,
    params,
    change,
    open: choosingNew,
    setOpen: setChoosing,
  } = useSearch(parseSearch, searchParams, "new");
  const query = searchParams(search).toString();
  const chats = useChats(search);
  const labels = useLoaded(InboxLabels, {});
  const labelList = labels.data?.chatLabels ?? NO_LABELS;
  const [managing, setManaging] = useState<"labels" | "answers" | null>(null);
  const account = accounts.find(({ uuid }) => uuid === accountId);
  const { take, markRead } = chats;

  const open = useRef(chat);
  useEffect(() => {
    open.current = chat;
  });
  const changed = useCallback(
    (_before: InboxChangedSubscription | undefined, event: InboxChangedSubscription) => {
      const { chat: its, ...message } = event.messengerMessageChanged;
      if (its) {
        take(its, message, its.uuid === open.current);
        openedConversation(its)?.take(its, message);
        tell(its, message, t("inbox.notify.message"), () => void navigate(chatPath(its.accountId, its.uuid)));
      }
      return event;
    },
    [take, t, navigate],
  );
  useSubscription({ query: InboxChanged }, changed);
  // Administrators may look at chats of other users, whose events come only with the account in the subscription.
  useSubscription(
    { query: InboxChanged, variables: { account: accountId }, pause: !viewer.isAdmin || !accountId },
    changed,
  );

  const to = asAddress(params.get("to") ?? "");
  const choosing = useOpenAt(to, accounts, query);
  const dialog = choosing || choosingNew;
  function close() {
    setChoosing(false);
  }
  // A pane keeps its key when the person's chat becomes known, so that files and the focus stay where they are.
  const [panes, setPanes] = useState<ReadonlyMap<string, string>>(new Map());
  const paneKey = `${accountId}/${chat}`;
  const onKnown = useCallback(
    (address: string, existing: string, shown: boolean) => {
      if (!accountId) return;
      moveConversation(accountId, address, existing);
      moveDraft(accountId, address, existing);
      if (!shown) return;
      setPanes((before) => new Map([...before, [`${accountId}/${existing}`, `${accountId}/${address}`]]));
      void navigate({ pathname: chatPath(accountId, existing), search: query }, { replace: true });
    },
    [accountId, navigate, query],
  );
  const onChat = useCallback(
    (its: Chat, message: Message | null, stays: boolean) => take(its, message, stays),
    [take],
  );

  return (
    <div className={classes.page} data-open={chat ? true : undefined}>
      <div className={classes.title}>
        <PageHead title={t("inbox.title")}>
          <NotifyMenu />
          <Button leftSection={<IconMessagePlus size={14} />} onClick={() => setChoosing(true)}>
            {t("inbox.newChat")}
          </Button>
        </PageHead>
      </div>
      <div className={classes.panes}>
        <ChatList
          chats={chats}
          accounts={accounts}
          labels={labelList}
          search={search}
          open={chat}
          message={params.get("message")}
          onSearch={change}
        />
        {account && chat ? (
          <ConversationPane
            key={panes.get(paneKey) ?? paneKey}
            account={account}
            chat={chat}
            message={params.get("message")}
            query={query}
            labels={labelList}
            onLabels={labels.reload}
            onManageLabels={() => setManaging("labels")}
            onManageAnswers={() => setManaging("answers")}
            onChat={onChat}
            onKnown={onKnown}
            onRead={markRead}
          />
        ) : (
          <Center className={classes.nothing}>
            {chat ? (
              <Empty text={t("inbox.missing")}>
                <Anchor component={Link} to="/inbox" size="sm">
                  {t("inbox.back")}
                </Anchor>
              </Empty>
            ) : (
              <Empty text={t("inbox.choose")} />
            )}
          </Center>
        )}
      </div>
      {managing === "labels" && (
        <LabelsDialog
          labels={labelList}
          onChanged={() => {
            labels.reload();
            chats.reload();
          }}
          onClose={() => setManaging(null)}
        />
      )}
      {managing === "answers" && <AnswersDialog onClose={() => setManaging(null)} />}
      {dialog && (
        <OpenChat
          key={to ?? ""}
          accounts={accounts}
          to={choosing ? to : null}
          onClose={close}
          onOpen={(its, address) => void navigate({ pathname: chatPath(its, address), search: query })}
        />
      )}
    </div>
  );
}

/** Opens the chat with a person whose address is given. Returns whether the account has to be chosen. */
function useOpenAt(to: string | null, accounts: readonly Account[], query: string): boolean {
  const client = useClient();
  const navigate = useNavigate();
  const only = accounts.length === 1 ? accounts[0]?.uuid : undefined;
  // The address for which there is no chat, or more than one.
  const [ambiguous, setAmbiguous] = useState<string | null>(null);
  useEffect(() => {
    if (to === null) return;
    let current = true;
    const where = { text: { contains: to.replace(/^@/, "") } };
    void client
      .query(
        InboxPageOfChats,
        { first: 20, after: null, account: null, where },
        { requestPolicy: "network-only" },
      )
      .toPromise()
      .then(({ data }) => {
        if (!current) return;
        const same = data?.messengerChats?.nodes.filter((item) => isChatWith(item, to)) ?? [];
        const [first] = same;
        const path =
          first && same.length === 1 ? chatPath(first.accountId, first.uuid) : only && chatPath(only, to);
        if (path) void navigate({ pathname: path, search: query }, { replace: true });
        else setAmbiguous(to);
      });
    return () => {
      current = false;
    };
  }, [client, navigate, only, query, to]);
  return to !== null && ambiguous === to;
}
