import { ActionIcon, Alert, Anchor, Avatar, Center, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useDocumentVisibility } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { useHealed } from "../../../frame/api/connection";
import { useTranslation } from "../../../frame/i18n";
import { useStore } from "../../../frame/store";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { Composer } from "../composer/Composer";
import { conversationOf } from "./conversation";
import { InboxChatWith, InboxRead } from "../documents";
import { useDraft } from "../composer/drafts";
import classes from "../inbox.module.css";
import { MessageList } from "./MessageList";
import { accountName, addressOf, initialsOf, isAddress, titleOf, type Account, type Chat } from "../model";
import type { SentFile } from "../outbox";

const POLL_MS = 30_000;

interface Props {
  account: Account;
  /** the chat's id, or the address of a person */
  chat: string;
  /** what the address of the list has, to go back to */
  query: string;
  onChat: (chat: Chat) => void;
  /** called when the person at an address has a chat; `shown`: the address is open, so the chat has to be */
  onKnown: (address: string, chat: string, shown: boolean) => void;
  onRead: (uuid: string) => void;
}

/** One chat: its messages, and a field to answer. */
export function ConversationPane({ account, chat: id, query, onChat, onKnown, onRead }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const conversation = useMemo(() => conversationOf(client, account.uuid, id), [client, account.uuid, id]);
  const state = useStore(conversation.state);
  const [draft, setDraft] = useDraft(account.uuid, id);
  const isNew = isAddress(id);
  const writable = account.state === "working";

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
      onChat(chat);
      if (chat.uuid !== id) onKnown(id, chat.uuid, open.current === id);
    },
    [id, onChat, onKnown],
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
            {name}
          </Title>
          <Text size="xs" c="dimmed" className={classes.ellipsis}>
            {chat && addressOf(chat) !== name ? `${addressOf(chat)} · ` : ""}
            {t("inbox.via", { account: accountName(account) })}
          </Text>
        </div>
      </header>
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
        <>
          <MessageList
            conversation={conversation}
            state={state}
            account={account.uuid}
            writable={writable}
            empty={
              <Center p="xl">
                <Text size="sm" c="dimmed" role="status">
                  {t("inbox.firstMessage")}
                </Text>
              </Center>
            }
            onReply={(message) => setDraft({ ...draft, replyTo: message })}
            onAgain={(entry) => void conversation.again(to, entry).then(settled)}
            onSendAgain={(message) => void conversation.sendAgain(to, message).then(settled)}
            onSeen={markRead}
          />
          <Composer
            account={account.uuid}
            chat={id}
            name={name}
            typingTo={chat && writable ? chat.thread : null}
            ready={isAddress(to) || chat !== null}
            draft={draft}
            onDraft={setDraft}
            onSend={send}
          />
        </>
      )}
    </section>
  );
}
