// The two links that the service makes, or one of somebody's own.
const LINK = /\{\{-?\s*(?:unsubscribe_url|preferences_url)\b|https?:\/\/\S*(?:unsubscribe|opt-?out)/i;

/** The variables of the links that the service makes for advertising. */
export const LINKS = ["unsubscribe_url", "preferences_url", "web_copy_url"] as const;

/** Returns whether the readers of a text see a way to unsubscribe. */
export function hasUnsubscribe(text: string): boolean {
  return LINK.test(text);
}
