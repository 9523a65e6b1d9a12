/** Characters of the SMS alphabet that need two places. */
const TWO_PLACES = "^{}\\[~]|€\f";
const ROOM = { gsm: { one: 160, each: 153 }, ucs2: { one: 70, each: 67 } } as const;

export type SmsEncoding = keyof typeof ROOM;

/** Returns the parts that a phone receives of a text, each of which is charged. No character is split. */
export function partsOfSms(text: string, encoding: SmsEncoding): string[] {
  const places = (character: string) =>
    encoding === "ucs2" ? character.length : TWO_PLACES.includes(character) ? 2 : 1;
  const characters = Array.from(text); // code points: a surrogate pair is not split
  const total = characters.reduce((sum, character) => sum + places(character), 0);
  if (total <= ROOM[encoding].one) return [text];
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const character of characters) {
    const size = places(character);
    if (used + size > ROOM[encoding].each) {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += character;
    used += size;
  }
  return [...parts, part];
}
