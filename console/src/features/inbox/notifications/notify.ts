import { Store, useStore } from "../../../frame/store";
import { titleOf, type Chat, type Message } from "../model";

/** Off, with the sender's name alone, or with the text of the message. */
export const LEVELS = ["off", "names", "texts"] as const;
export type Level = (typeof LEVELS)[number];

const KEY = "postern-notifications";
const NEWEST_MS = 60_000; // of a message that is told: what is older came while nobody was connected
const MOST_TOLD = 500;

const chosen = new Store<Level>(stored());
const told = new Set<string>();

function stored(): Level {
  try {
    const value = localStorage.getItem(KEY);
    return LEVELS.find((level) => level === value) ?? "off";
  } catch {
    return "off";
  }
}

export function useLevel(): Level {
  return useStore(chosen);
}

/** Whether this browser shows notifications of this page: not without TLS, but for localhost. */
export function isPossible(): boolean {
  return window.isSecureContext && "Notification" in window;
}

/** Chooses what is told. The browser asks the user once. Returns whether the browser allows it. */
export async function choose(level: Level): Promise<boolean> {
  if (level !== "off" && (await Notification.requestPermission()) !== "granted") return false;
  try {
    localStorage.setItem(KEY, level);
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
  chosen.set(level);
  return true;
}

/** Returns whether a message is told: it has just come in, and nobody looks at the page. */
export function isTold(message: Message, now: number, watched: boolean): boolean {
  const isNew = Math.abs(now - new Date(message.at).getTime()) < NEWEST_MS;
  return isNew && !watched && !message.outgoing && !message.deletedAt && !told.has(message.uuid);
}

/** Tells of a message, if the user has asked for it. `fallback` is the text of a message that has none. */
export function tell(chat: Chat, message: Message, fallback: string, onOpen: () => void): void {
  const level = chosen.get();
  if (level === "off" || !isPossible() || Notification.permission !== "granted") return;
  const watched = document.visibilityState === "visible" && document.hasFocus();
  if (!isTold(message, Date.now(), watched)) return;
  if (told.size >= MOST_TOLD) told.clear();
  told.add(message.uuid);
  const body = level === "texts" ? message.text || fallback : fallback;
  try {
    // The newest of a chat replaces the one before.
    const shown = new Notification(titleOf(chat), { body, tag: chat.uuid, icon: "/console/icon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onOpen();
    };
  } catch {
    // Browsers of phones show notifications of installed pages alone.
  }
}
