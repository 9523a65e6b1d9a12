import type { Client, CombinedError } from "urql";
import { newIdempotencyKey } from "../../frame/api/client";
import { problemOf, type Problem } from "../../frame/api/errors";
import { drawer } from "../../frame/memory";
import { Store } from "../../frame/store";
import { InboxConversation, InboxForgetFile, InboxOlder, InboxSend } from "./documents";
import { withMessages, type Chat, type Message } from "./model";
import { keepsKey, type Outgoing, type SentFile } from "./outbox";

const PAGE = 40;

export interface State {
  chat: Chat | null;
  /** the oldest first */
  messages: Message[];
  outbox: Outgoing[];
  loading: boolean;
  loadingOlder: boolean;
  /** whether all messages that the messenger gives are shown */
  whole: boolean;
  missing: boolean;
  problem: Problem | null;
  olderProblem: Problem | null;
}

const EMPTY: State = {
  chat: null,
  messages: [],
  outbox: [],
  loading: true,
  loadingOlder: false,
  whole: false,
  missing: false,
  problem: null,
  olderProblem: null,
};

/** The messages of one chat, and those that are being sent to it. */
export class Conversation {
  readonly state = new Store<State>(EMPTY);
  readonly #client: Client;
  readonly #account: string;
  #cursor: string | null = null;

  constructor(client: Client, account: string) {
    this.#client = client;
    this.#account = account;
  }

  /** Loads the newest messages, as they are now. */
  async load(id: string): Promise<void> {
    const { data, error } = await this.#client
      .query(InboxConversation, { id, first: PAGE }, { requestPolicy: "network-only" })
      .toPromise();
    const chat = data?.messengerChat;
    if (!chat) {
      const missing = error?.graphQLErrors.some((one) => one.extensions.code === "not_found") ?? false;
      this.#change({ loading: false, missing, problem: error && !missing ? problemOf(error) : null });
      return;
    }
    const page = chat.messages?.nodes ?? [];
    const { messages: before } = this.state.get();
    const end = chat.messages?.pageInfo;
    if (this.#cursor === null) this.#cursor = end?.endCursor ?? null;
    // If none of the newest messages was known, there may be others in between.
    const known = before.some((message) => page.some(({ uuid }) => uuid === message.uuid));
    const kept = known ? before : [];
    if (before.length > 0 && !known) this.#cursor = end?.endCursor ?? null;
    this.#change({
      chat,
      messages: withMessages(kept, [...page].reverse()),
      loading: false,
      missing: false,
      problem: null,
      ...(kept.length === 0 && { whole: false }),
    });
  }

  /** There is nothing to load: nobody has written yet. */
  ready(): void {
    this.#change({ loading: false });
  }

  /** Loads messages before the oldest one; those that are not stored come from the messenger. */
  async older(): Promise<void> {
    const { chat, loadingOlder, whole } = this.state.get();
    if (!chat || loadingOlder || whole) return;
    this.#change({ loadingOlder: true, olderProblem: null });
    const { data, error } = await this.#client
      .query(
        InboxOlder,
        { account: chat.accountId, thread: chat.thread, first: PAGE, after: this.#cursor },
        { requestPolicy: "network-only" },
      )
      .toPromise();
    const page = data?.messengerMessages;
    if (!page) {
      this.#change({ loadingOlder: false, olderProblem: error ? problemOf(error) : null });
      return;
    }
    this.#cursor = page.pageInfo.endCursor ?? this.#cursor;
    this.#change({
      loadingOlder: false,
      whole: !page.pageInfo.hasNextPage && page.nodes.length < PAGE,
      messages: withMessages(this.state.get().messages, [...page.nodes].reverse()),
    });
  }

  /** A message that is new or has changed. */
  take(chat: Chat, message: Message): void {
    const { loading, messages, chat: before } = this.state.get();
    if (loading || (before && before.uuid !== chat.uuid)) return;
    // One that is older than all is part of the history that is not loaded.
    const oldest = messages[0];
    const belongs = !oldest || message.at >= oldest.at;
    this.#change({ chat, ...(belongs && { messages: withMessages(messages, [message]) }) });
  }

  markRead(): void {
    const { chat } = this.state.get();
    if (chat) this.#change({ chat: { ...chat, unread: 0 } });
  }

  /** Sends a message. Returns the chat that it went to, or null if it failed, which its entry then says. */
  async send(to: string, text: string, files: SentFile[], replyTo: string | null): Promise<Chat | null> {
    const { messages, outbox } = this.state.get();
    const entry: Outgoing = {
      key: newIdempotencyKey(),
      text,
      files,
      replyTo,
      at: new Date().toISOString(),
      before: new Set(messages.map(({ uuid }) => uuid)),
      item: null,
      problem: null,
    };
    this.#change({ loading: false, outbox: [...outbox, entry] });
    return this.#post(to, entry);
  }

  async again(to: string, entry: Outgoing): Promise<Chat | null> {
    const final = entry.problem !== null && !keepsKey(entry.problem);
    const next = { ...entry, problem: null, ...(final && { key: newIdempotencyKey(), item: null }) };
    this.#replace(entry.key, next);
    return this.#post(to, next);
  }

  discard(entry: Outgoing): void {
    this.#change({ outbox: this.state.get().outbox.filter(({ key }) => key !== entry.key) });
    this.#forget(entry.files);
  }

  async #post(to: string, entry: Outgoing): Promise<Chat | null> {
    const content = entry.files.map(({ uuid, name, kind }) => ({
      type: kind,
      src: `file:${uuid}`,
      filename: name,
    }));
    const input = { to, text: entry.text, content, replyTo: entry.replyTo, idempotencyKey: entry.key };
    const { data, error } = await this.#client
      .mutation(InboxSend, { account: this.#account, input })
      .toPromise();
    const message = data?.sendMessengerMessage;
    if (!message) {
      const problem: Problem = error ? problemOf(error) : { code: "network", message: "", fields: {} };
      this.#replace(entry.key, { ...entry, problem, item: itemOf(error) ?? entry.item });
      return null;
    }
    const state = this.state.get();
    this.#change({
      chat: message.chat ?? state.chat,
      messages: withMessages(state.messages, [message]),
      outbox: state.outbox.filter(({ key }) => key !== entry.key),
    });
    // The messenger has the files now; the copies that were uploaded for it are not needed any more.
    this.#forget(entry.files);
    return message.chat;
  }

  #forget(files: readonly SentFile[]): void {
    for (const { uuid } of files) void this.#client.mutation(InboxForgetFile, { id: uuid }).toPromise();
  }

  #replace(key: string, entry: Outgoing): void {
    const outbox = this.state.get().outbox.map((one) => (one.key === key ? entry : one));
    this.#change({ outbox });
  }

  #change(part: Partial<State>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

function itemOf(error: CombinedError | undefined): string | null {
  const details = error?.graphQLErrors[0]?.extensions.details as { item?: unknown } | undefined;
  return typeof details?.item === "string" ? details.item : null;
}

const KEPT = 20;
const conversations = drawer<Conversation>();

/** The conversation of an address of the console: a chat, or a person to whom nobody has written yet. */
export function conversationOf(client: Client, account: string, chat: string): Conversation {
  const key = `${account}/${chat}`;
  const kept = conversations.get(key);
  if (kept) return kept;
  const made = new Conversation(client, account);
  conversations.set(key, made);
  for (const [old, { state }] of [...conversations].slice(0, -KEPT)) {
    if (state.get().outbox.length === 0) conversations.delete(old);
  }
  return made;
}

/** Returns the conversation of a chat if somebody has opened it. */
export function openedConversation(chat: Chat): Conversation | undefined {
  return conversations.get(`${chat.accountId}/${chat.uuid}`);
}

/** What is written and not sent yet. It stays while somebody looks at other chats. */
export interface Draft {
  text: string;
  replyTo: Message | null;
}

const drafts = drawer<Draft>();

export function draftOf(account: string, chat: string): Draft {
  return drafts.get(`${account}/${chat}`) ?? { text: "", replyTo: null };
}

export function keepDraft(account: string, chat: string, draft: Draft): void {
  if (draft.text || draft.replyTo) drafts.set(`${account}/${chat}`, draft);
  else drafts.delete(`${account}/${chat}`);
}
