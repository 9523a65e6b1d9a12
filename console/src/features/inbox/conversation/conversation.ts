import type { Client, CombinedError } from "urql";
import { newIdempotencyKey } from "../../../frame/api/client";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { drawer } from "../../../frame/memory";
import { Store } from "../../../frame/store";
import { InboxConversation, InboxForgetFile, InboxOlder, InboxSend } from "../documents";
import { isAddress, withMessages, type Chat, type Message } from "../model";
import { keepsKey, type Outgoing, type SentFile } from "../outbox";

const PAGE = 40;

export interface State {
  chat: Chat | null;
  /** the oldest first */
  messages: Message[];
  outbox: Outgoing[];
  /** the failed messages that are being sent again, or have been */
  repeated: ReadonlySet<string>;
  loading: boolean;
  loadingOlder: boolean;
  /** whether all messages that the messenger gives are shown */
  whole: boolean;
  /** whether older messages are known to be there, so that they are offered */
  hasOlder: boolean;
  missing: boolean;
  problem: Problem | null;
  olderProblem: Problem | null;
}

const EMPTY: State = {
  chat: null,
  messages: [],
  outbox: [],
  repeated: new Set(),
  loading: true,
  loadingOlder: false,
  whole: false,
  hasOlder: false,
  missing: false,
  problem: null,
  olderProblem: null,
};

/** The messages of one chat, and those that are being sent to it. */
export class Conversation {
  readonly state = new Store<State>(EMPTY);
  /** the address of a person whose chat was not known at first */
  readonly address: string | null;
  readonly #client: Client;
  readonly #account: string;
  readonly #keys = new Map<string, string>();
  #cursor: string | null = null;
  #request = 0;
  /** what has come while a page was loading, which may be newer than the page */
  #fresh = new Map<string, Message>();
  #successor: Conversation | null = null;

  constructor(client: Client, account: string, address: string | null) {
    this.#client = client;
    this.#account = account;
    this.address = address;
  }

  /** Loads the newest messages, as they are now. */
  async load(id: string): Promise<void> {
    const request = ++this.#request;
    this.#fresh.clear();
    const { data, error } = await this.#client
      .query(InboxConversation, { id, first: PAGE }, { requestPolicy: "network-only" })
      .toPromise();
    if (request !== this.#request) return;
    const chat = data?.messengerChat;
    if (!chat) {
      const missing = error?.graphQLErrors.some((item) => item.extensions.code === "not_found") ?? false;
      this.#change({ loading: false, missing, problem: error && !missing ? problemOf(error) : null });
      return;
    }
    const page = chat.messages?.nodes ?? [];
    const { messages: before, chat: chatBefore } = this.state.get();
    const end = chat.messages?.pageInfo;
    if (this.#cursor === null) this.#cursor = end?.endCursor ?? null;
    // If none of the newest messages was known, there may be others in between.
    const overlaps = before.some((message) => page.some(({ uuid }) => uuid === message.uuid));
    const retained = overlaps ? before : [];
    if (before.length > 0 && !overlaps) this.#cursor = end?.endCursor ?? null;
    const oldest = page.at(-1)?.at ?? "";
    const fresh = [...this.#fresh.values()].filter(({ at }) => at >= oldest);
    this.#change({
      chat: (fresh.length > 0 && chatBefore) || chat,
      messages: withMessages(withMessages(retained, [...page].reverse()), fresh),
      loading: false,
      missing: false,
      problem: null,
      ...(retained.length === 0 && { whole: false, hasOlder: end?.hasNextPage ?? false }),
    });
    // Whether the messenger has more than is stored is not known, and asked without a word.
    if (retained.length === 0 && !end?.hasNextPage) void this.older();
  }

  /** There is nothing to load: nobody has written yet. */
  ready(): void {
    this.#change({ loading: false });
  }

  /** Loads messages before the oldest one; those that are not stored come from the messenger. */
  async older(first = PAGE): Promise<void> {
    const { chat, loadingOlder, whole } = this.state.get();
    if (!chat || loadingOlder || whole) return;
    this.#change({ loadingOlder: true, olderProblem: null });
    const { data, error } = await this.#client
      .query(
        InboxOlder,
        { account: chat.accountId, thread: chat.thread, first, after: this.#cursor },
        { requestPolicy: "network-only" },
      )
      .toPromise();
    const page = data?.messengerMessages;
    if (!page) {
      const offered = this.state.get().hasOlder;
      this.#change({ loadingOlder: false, olderProblem: error && offered ? problemOf(error) : null });
      return;
    }
    this.#cursor = page.pageInfo.endCursor ?? this.#cursor;
    this.#change({
      loadingOlder: false,
      whole: !page.pageInfo.hasNextPage && page.nodes.length < first,
      hasOlder: page.pageInfo.hasNextPage || page.nodes.length === first,
      messages: withMessages(this.state.get().messages, [...page.nodes].reverse()),
    });
  }

  /** A message that is new or has changed. */
  take(chat: Chat, message: Message): void {
    const { loading, messages, chat: before } = this.state.get();
    this.#fresh.set(message.uuid, message);
    if (loading || (before && before.uuid !== chat.uuid)) return;
    // One that is older than all is part of the history that is not loaded.
    const oldest = messages[0];
    const belongs = !oldest || message.at >= oldest.at;
    this.#change({ chat, ...(belongs && { messages: withMessages(messages, [message]) }) });
  }

  /** The chat was closed, opened again or has other labels. */
  takeChat(chat: Chat): void {
    if (this.state.get().chat?.uuid === chat.uuid) this.#change({ chat });
  }

  /** Returns the newest message if the account has sent it. */
  newestOwn(): Message | null {
    const newest = this.state.get().messages.at(-1);
    return newest?.outgoing ? newest : null;
  }

  markRead(): void {
    const { chat } = this.state.get();
    if (chat) this.#change({ chat: { ...chat, unread: 0 } });
  }

  /** Sends a message. Returns the chat that it went to, or null if it failed, which its entry then says. */
  send(to: string, text: string, files: SentFile[], replyTo: string | null): Promise<Chat | null> {
    return this.#begin(to, { key: newIdempotencyKey(), text, files, replyTo, repeats: null });
  }

  /** Sends the text of a failed message once more. However often this is called, one message is sent. */
  async sendAgain(to: string, { uuid, text, replyTo }: Message): Promise<Chat | null> {
    const { repeated } = this.state.get();
    if (repeated.has(uuid)) return null;
    const key = this.#keys.get(uuid) ?? newIdempotencyKey();
    this.#keys.set(uuid, key);
    this.#change({ repeated: new Set([...repeated, uuid]) });
    return this.#begin(to, { key, text, files: [], replyTo, repeats: uuid });
  }

  #begin(
    to: string,
    content: Pick<Outgoing, "key" | "text" | "files" | "replyTo" | "repeats">,
  ): Promise<Chat | null> {
    const { messages, outbox } = this.state.get();
    const entry: Outgoing = {
      ...content,
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
    if (entry.repeats) this.#keys.set(entry.repeats, next.key);
    this.#replace(entry.key, next);
    return this.#post(to, next);
  }

  discard(entry: Outgoing): void {
    const { outbox, repeated } = this.state.get();
    this.#change({
      outbox: outbox.filter(({ key }) => key !== entry.key),
      repeated: new Set([...repeated].filter((uuid) => uuid !== entry.repeats)),
    });
    // A final refusal is the answer to its key; otherwise the message may have been sent with it.
    if (entry.repeats && entry.problem && !keepsKey(entry.problem)) this.#keys.delete(entry.repeats);
    this.#forget(entry.files);
  }

  /** Takes over what `other`, a conversation with the same person, is sending. */
  adopt(other: Conversation): void {
    other.#successor = this;
    this.#change({ outbox: [...this.state.get().outbox, ...other.state.get().outbox] });
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
    const home = this.#successor ?? this;
    if (!message) {
      const problem: Problem = error ? problemOf(error) : { code: "network", message: "", fields: {} };
      home.#replace(entry.key, { ...entry, problem, item: itemOf(error) ?? entry.item });
      return null;
    }
    const state = home.state.get();
    home.#fresh.set(message.uuid, message);
    home.#change({
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
    const outbox = this.state.get().outbox.map((item) => (item.key === key ? entry : item));
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
  const retained = conversations.get(key);
  if (retained) return retained;
  const made = new Conversation(client, account, isAddress(chat) ? chat : null);
  conversations.set(key, made);
  for (const [old, { state }] of [...conversations].slice(0, -KEPT)) {
    if (state.get().outbox.length === 0) conversations.delete(old);
  }
  return made;
}

/** The person at `address` has a chat: what is being sent to the address belongs to that chat from now on. */
export function moveConversation(account: string, address: string, chat: string): void {
  const before = conversations.get(`${account}/${address}`);
  if (!before) return;
  const overlaps = conversations.get(`${account}/${chat}`);
  if (overlaps) overlaps.adopt(before);
  else conversations.set(`${account}/${chat}`, before);
  conversations.delete(`${account}/${address}`);
}

/** Returns the conversation of a chat if somebody has opened it. */
export function openedConversation(chat: Chat): Conversation | undefined {
  return conversations.get(`${chat.accountId}/${chat.uuid}`);
}
