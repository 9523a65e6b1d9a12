import type { InboxPersonQuery } from "../../../gql/graphql";
import { isChatWith, type Chat } from "../model";

/** Something that was sent to the person before. */
export interface Earlier {
  uuid: string;
  at: string;
  channel: string;
  text: string;
  state: string;
  /** the project that sent it; null: a direct message */
  project: { uuid: string; name: string } | null;
}

/** The address by which a person is known elsewhere: the phone, or else the user name. Null: neither is known. */
export function addressOfPerson(chat: Chat | null, address: string | null): string | null {
  if (!chat) return address;
  if (chat.kind !== "user") return null;
  return chat.phone ?? (chat.username ? `@${chat.username}` : null);
}

/** Puts what was sent in different ways into one list, newest first. */
export function earlierOf(data: InboxPersonQuery): Earlier[] {
  const direct = (data.messages?.nodes ?? []).map(
    ({ uuid, createdAt, channel, body, deliveryState }): Earlier => ({
      uuid,
      at: createdAt,
      channel,
      text: body,
      state: deliveryState,
      project: null,
    }),
  );
  const records = (data.messageRecords?.nodes ?? []).map(
    ({ uuid, queuedAt, channel, body, status, sendingProject }): Earlier => ({
      uuid,
      at: queuedAt,
      channel,
      text: body ?? "",
      state: status,
      project: sendingProject,
    }),
  );
  return [...direct, ...records].sort((a, b) => b.at.localeCompare(a.at));
}

/** The person's other chats. */
export function otherChats(data: InboxPersonQuery, address: string, own: string | undefined) {
  return (data.messengerChats?.nodes ?? []).filter((chat) => chat.uuid !== own && isChatWith(chat, address));
}
