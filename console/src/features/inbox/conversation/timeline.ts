import type { Message, Note } from "../model";

export interface Entry {
  at: string;
  message?: Message;
  note?: Note;
  /** the message before, without the notes between */
  before?: Message;
}

/**
 * Puts notes between the messages, by their times. `notes` are newest first. Notes from before the oldest message that
 * is loaded appear with the older messages, or at the beginning if there are none (`whole`).
 */
export function timeline(messages: readonly Message[], notes: readonly Note[], whole: boolean): Entry[] {
  const oldest = messages[0]?.at;
  const shown = notes.filter((note) => whole || oldest === undefined || note.createdAt >= oldest).reverse();
  const entries: Entry[] = [];
  let next = 0;
  const notesUntil = (at: string | null) => {
    for (let note = shown[next]; note && (at === null || note.createdAt < at); note = shown[next]) {
      entries.push({ at: note.createdAt, note });
      next += 1;
    }
  };
  messages.forEach((message, index) => {
    notesUntil(message.at);
    entries.push({ at: message.at, message, before: messages[index - 1] });
  });
  notesUntil(null);
  return entries;
}
