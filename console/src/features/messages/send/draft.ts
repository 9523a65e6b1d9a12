import { instantOf } from "../../../frame/values/localTime";
import type { MessageChannel, SendMessage } from "../../../gql/graphql";

/** What the dialog has, and what a message that is sent again begins with. */
export interface Draft {
  channel: MessageChannel;
  to: string;
  body: string;
  title: string;
  account: string | null;
  from?: string;
  sender?: string;
  replyTo?: string;
  /** the messenger account that sends; null: the server chooses it */
  source?: string | null;
  /** as a `datetime-local` field has it, "" while it is not complete; null: at once */
  sendAt?: string | null;
}

export const EMPTY = {
  channel: "sms",
  to: "",
  body: "",
  title: "",
  account: null,
  from: "",
  sender: "",
  replyTo: "",
  source: null,
  sendAt: null,
} satisfies Draft;

/** The form's names of what the API calls otherwise. */
export const NAMES = {
  "metadata.subject": "title",
  "metadata.title": "title",
  "metadata.replyTo": "replyTo",
  accountId: "account",
  fromAccount: "source",
} as const;

export const MOST_DAYS = 90;

export type Messenger = "telegram" | "whatsapp";

export function messengerOf(channel: MessageChannel): Messenger | null {
  return channel === "telegram" || channel === "whatsapp" ? channel : null;
}

/** Returns the fields that the dialog has for a channel. */
export function fieldsOf({ channel, sendAt }: Draft): (keyof Draft)[] {
  const own: Record<MessageChannel, (keyof Draft)[]> = {
    sms: ["sender"],
    email: ["title", "from", "replyTo"],
    push: ["title"],
    telegram: ["source"],
    whatsapp: ["source"],
  };
  return [
    "to",
    "body",
    "account",
    ...own[channel],
    ...(typeof sendAt === "string" ? (["sendAt"] as const) : []),
  ];
}

/** Returns the request: of each field only what the channel can serve. */
export function inputOf(draft: Draft): SendMessage {
  const fields = fieldsOf(draft);
  const text = (name: "title" | "from" | "sender" | "replyTo") =>
    fields.includes(name) ? (draft[name] ?? "").trim() : "";
  const [title, from, sender, replyTo] = [text("title"), text("from"), text("sender"), text("replyTo")];
  const sendAt = instantOf(draft.sendAt ?? "");
  return {
    channel: draft.channel,
    to: draft.to.trim(),
    body: draft.body,
    accountId: draft.account,
    ...(from && { from }),
    ...(sender && { sender }),
    ...(replyTo && { replyTo }),
    ...(title && { metadata: draft.channel === "email" ? { subject: title } : { title } }),
    ...(fields.includes("source") && draft.source && { fromAccount: draft.source }),
    ...(sendAt && { sendAt }),
  };
}

/** Returns what the metadata of a message name: whom answers go to, and the messenger account that sent it. */
export function metadataOf(metadata: unknown): { replyTo: string; source: string | null } {
  const all = (metadata ?? {}) as Record<string, unknown>;
  const { replyTo, messenger_account: source } = all;
  return {
    replyTo: typeof replyTo === "string" ? replyTo : "",
    source: typeof source === "string" ? source : null,
  };
}
