const SEPARATORS = /[\s().-]/g;
const MIN_DIGITS = 5;

/** Returns a phone without the spaces, brackets and dashes that people write, with its "+" if it has one, or null. */
export function phoneIn(typed: string, minDigits = MIN_DIGITS): string | null {
  const phone = typed.replace(SEPARATORS, "");
  return /^\+?\d{1,15}$/.test(phone) && phone.replace("+", "").length >= minDigits ? phone : null;
}

/** Returns an international phone, "+" and digits: "00" may stand for the "+". Null if the text is none. */
export function internationalPhone(typed: string): string | null {
  const phone = phoneIn(typed.trim().replace(/^00/, "+"));
  return phone?.startsWith("+") ? phone : null;
}

/** Returns a text that is a phone, or the beginning of one, without separators; other texts are only trimmed. */
export function plainPhone(typed: string): string {
  return /\d/.test(typed) && /^[+\d\s().-]+$/.test(typed) ? typed.replace(SEPARATORS, "") : typed.trim();
}

/** Returns the @username of a messenger, or null. */
export function usernameIn(typed: string): string | null {
  const text = typed.trim();
  return /^@[A-Za-z0-9_.]{3,64}$/.test(text) ? text : null;
}

/** Writes what somebody has typed as an address, or returns null if it is none. Digits alone may be an id of Telegram. */
export function asAddress(typed: string): string | null {
  return usernameIn(typed) ?? internationalPhone(typed);
}
