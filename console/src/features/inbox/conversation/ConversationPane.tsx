import { ActionIcon, Alert, Anchor, Avatar, Center, Group, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconHistory } from "@tabler/icons-react";
import { useDocumentVisibility } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { useHealed } from "../../../frame/api/connection";
import { useTranslation } from "../../../frame/i18n";
import { useStore } from "../../../frame/store";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { withMarks } from "../../../frame/values/marks";
import { Composer } from "../composer/Composer";
import { WindowNotice } from "../composer/template/WindowNotice";
import { LabelBadge } from "../labels/LabelBadge";
import { LabelMenu } from "../labels/LabelMenu";
import { PersonPane } from "../person/PersonPane";
import { CloseButton, ClosingNotice, useClosing } from "./ChatActions";
import { conversationOf } from "./conversation";
import { InboxChatWith, InboxRead } from "../documents";
import { useDraft } from "../composer/drafts";
import classes from "../inbox.module.css";
import { MessageList } from "./MessageList";
import {
  accountName,
  addressOf,
  initialsOf,
  isAddress,
  isConnected,
  titleOf,
  type Account,
  type Chat,
  type Label,
  type Message,
} from "../model";
import type { Outgoing, SentFile } from "../outbox";
import { useNotes } from "./useNotes";

const POLL_MS = 30_000;

interface Props {
  account: Account;
  /** the chat's id, or the address of a person */
  chat: string;
  /** the message to show first; null: the newest one */
  message: string | null;
  /** what the address of the list has, to go back to */
  query: string;
  labels: readonly Label[];
  onLabels: () => void;
  onManageLabels: () => void;
  onManageAnswers: () => void;
  /** called with a chat that has changed; `message` is the newest one if it was sent just now */
  onChat: (chat: Chat, message: Message | null, stays: boolean) => void;
  /** called when the person at an address has a chat; `shown`: the address is open, so the chat has to be */
  onKnown: (address: string, chat: string, shown: boolean) => void;
  onRead: (uuid: string) => void;
}

/** One chat: its messages, and a field to answer. */
export function ConversationPane(props: Props) {
  const { account, chat: id, query, labels, onLabels, onManageLabels, onManageAnswers } = props;
  const { onChat, onKnown, onRead } = props;
  const { t } = useTranslation();
  const client = useClient();
  const conversation = useMemo(() => conversationOf(client, account.uuid, id), [client, account.uuid, id]);
  const state = useStore(conversation.state);
  const [draft, setDraft] = useDraft(account.uuid, id);
  const isNew = isAddress(id);
  const writable = isConnected(account);
  const [details, setDetails] = useState(false);

  const load = useCallback(() => {
    if (!isNew) void conversation.load(id);
  }, [conversation, id, isNew]);
  useEffect(load, [load]);
  useVisibleInterval(load, POLL_MS);
  useHealed(load);

  // The id that is open now; null after this pane was left.
  const open = useRef<string | null>(id);
  useEffect(() => {
    open.current = id;
    return () => {
      open.current = null;
    };
  }, [id]);
  const settled = useCallback(
    (chat: Chat | null) => {
      if (!chat) return;
      onChat(chat, conversation.newestOwn(), true);
      if (chat.uuid !== id) onKnown(id, chat.uuid, open.current === id);
    },
    [conversation, id, onChat, onKnown],
  );
  // Of a person to whom nobody has written here, the messenger may know a chat.
  useEffect(() => {
    if (!isNew) return;
    let current = true;
    void client
      .query(InboxChatWith, { account: account.uuid, to: id }, { requestPolicy: "network-only" })
      .toPromise()
      .then(({ data }) => {
        const chat = data?.messengerMessages?.nodes[0]?.chat;
        if (current && chat) onKnown(id, chat.uuid, true);
        else conversation.ready();
      });
    return () => {
      current = false;
    };
  }, [account.uuid, client, conversation, id, isNew, onKnown]);

  const chat = state.chat;
  const unread = chat?.unread ?? 0;
  const visible = useDocumentVisibility() === "visible";
  const markRead = useCallback(() => {
    if (!chat || unread === 0 || !visible) return;
    conversation.markRead();
    onRead(chat.uuid);
    // What comes in while this is on its way was not seen, and stays unread.
    const upTo = conversation.state.get().messages.at(-1)?.uuid ?? null;
    void client.mutation(InboxRead, { id: chat.uuid, upTo }).toPromise();
  }, [chat, unread, visible, client, conversation, onRead]);

  const address = conversation.address ?? id;
  const to = chat ? chat.thread : address;
  const name = chat ? titleOf(chat) : address;
  const send = (text: string, files: SentFile[], replyTo: string | null) =>
    void conversation.send(to, text, files, replyTo).then(settled);

  const { notes, add: addNote, remove: removeNote } = useNotes(chat?.uuid ?? null);
  const changedChat = useCallback(
    (its: Chat) => {
      conversation.takeChat(its);
      onChat(its, null, false);
    },
    [conversation, onChat],
  );
  const closing = useClosing(chat, state.messages.at(-1)?.uuid ?? null, changedChat);
  // The list of messages is not drawn again while somebody writes, so its functions stay the same.
  const latest = useRef({ draft, setDraft, to, settled });
  useEffect(() => {
    latest.current = { draft, setDraft, to, settled };
  });
  const onReply = useCallback((message: Message) => {
    const { draft: written, setDraft: keep } = latest.current;
    keep({ ...written, replyTo: message, note: false });
  }, []);
  const onAgain = useCallback(
    (entry: Outgoing) =>
      void conversation.again(latest.current.to, entry).then((its) => latest.current.settled(its)),
    [conversation],
  );
  const onSendAgain = useCallback(
    (message: Message) =>
      void conversation.sendAgain(latest.current.to, message).then((its) => latest.current.settled(its)),
    [conversation],
  );
  const empty = useMemo(
    () => (
      <Center p="xl">
        <Text size="sm" c="dimmed" role="status">
          {t("inbox.firstMessage")}
        </Text>
      </Center>
    ),
    [t],
  );

  return (
    <section className={classes.conversation} aria-label={name}>
      <header className={classes.head}>
        <ActionIcon
          component={Link}
          to={{ pathname: "/inbox", search: query }}
          variant="subtle"
          color="gray"
          aria-label={t("inbox.back")}
          className={classes.back}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
        <Avatar size={32} radius="xl" color="postern" aria-hidden>
          {initialsOf(name)}
        </Avatar>
        <div className={classes.who}>
          <Title order={2} className={classes.ellipsis}>
            <bdi>{withMarks(name)}</bdi>
          </Title>
          <Text size="xs" c="dimmed" className={classes.ellipsis}>
            {chat && addressOf(chat) !== name ? `${addressOf(chat)} · ` : ""}
            {t("inbox.via", { account: accountName(account) })}
          </Text>
        </div>
        <Group gap={6} className={classes.actions}>
          {chat && (
            <>
              <LabelMenu
                chat={chat}
                labels={labels}
                onChat={changedChat}
                onLabels={onLabels}
                onManage={onManageLabels}
              />
              <CloseButton chat={chat} closing={closing} />
            </>
          )}
          <ActionIcon
            size={30}
            variant={details ? "light" : "default"}
            aria-label={t("inbox.person.title")}
            title={t("inbox.person.title")}
            aria-pressed={details}
            onClick={() => setDetails(!details)}
          >
            <IconHistory size={16} />
          </ActionIcon>
        </Group>
        {chat?.labels && chat.labels.length > 0 && (
          <div className={classes.labels}>
            {chat.labels.map((label) => (
              <LabelBadge key={label.uuid} label={label} />
            ))}
          </div>
        )}
      </header>
      <ClosingNotice closing={closing} />
      {!writable && (
        <Alert color="yellow" py={8} radius={0}>
          {t("inbox.notWorking", { account: accountName(account), next: account.next })}{" "}
          <Anchor component={Link} to="/messengers" size="sm">
            {t("inbox.toAccounts")}
          </Anchor>
        </Alert>
      )}
      {state.problem && <ProblemNotice problem={state.problem} onRetry={load} />}
      {state.missing ? (
        <Center p="xl">
          <Text role="status">{t("inbox.missing")}</Text>
        </Center>
      ) : (
        <div className={classes.body}>
          <div className={classes.talk}>
            <MessageList
              conversation={conversation}
              state={state}
              account={account.uuid}
              notes={notes}
              writable={writable}
              empty={empty}
              target={props.message}
              onReply={onReply}
              onAgain={onAgain}
              onSendAgain={onSendAgain}
              onDeleteNote={removeNote}
              onSeen={markRead}
            />
            <WindowNotice
              key={id}
              account={account}
              chat={chat}
              to={to}
              name={name}
              onSent={(message) => {
                if (message.chat) conversation.take(message.chat, message);
                settled(message.chat);
              }}
            />
            <Composer
              account={account.uuid}
              chat={id}
              name={name}
              person={chat ? chat.name : null}
              typingTo={chat && writable ? chat.thread : null}
              ready={isAddress(to) || chat !== null}
              draft={draft}
              onDraft={setDraft}
              onSend={send}
              onNote={chat ? addNote : null}
              onManageAnswers={onManageAnswers}
            />
          </div>
          {details && <PersonPane chat={chat} address={chat ? null : address} />}
        </div>
      )}
    </section>
  );
}
