import { useCallback } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { useViewer } from "../../../frame/session";
import { InboxDeleteNote, InboxNewNote, InboxNotes } from "../documents";
import type { Note } from "../model";

const MOST = 100; // of a chat, the newest
const POLL_MS = 30_000;
const NONE: Note[] = [];

/** The notes about a chat, newest first. `chat` is null while the chat is not known. */
export function useNotes(chat: string | null) {
  const client = useClient();
  const authors = useViewer().may("users:read");
  const { data, reload } = useLoaded(InboxNotes, { chat: chat ?? "", first: MOST, authors }, chat === null);
  useVisibleInterval(reload, POLL_MS);
  const add = useCallback(
    async (text: string): Promise<Problem | null> => {
      const { error } = await client.mutation(InboxNewNote, { chat: chat ?? "", text, authors }).toPromise();
      reload();
      return error ? problemOf(error) : null;
    },
    [authors, chat, client, reload],
  );
  const remove = useCallback(
    (id: string) => void client.mutation(InboxDeleteNote, { id }).toPromise().then(reload),
    [client, reload],
  );
  const loaded = data?.messengerChat;
  return { notes: (loaded?.uuid === chat && loaded.notes?.nodes) || NONE, add, remove };
}
