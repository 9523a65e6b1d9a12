/** Controls that turn the direction of what follows: with them "gpj.exe" is read as "exe.jpg". */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
/** Other characters that are not seen, or end a line. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u2060\ufeff]/g;

/** Returns a name or a line from elsewhere with a mark for each character that would turn or hide a part of it. */
export function withMarks(text: string): string {
  return textWithMarks(text).replace(UNSEEN, mark);
}

/** Returns a text of several lines with a mark for each control that would turn a part of it around. */
export function textWithMarks(text: string): string {
  return text.replace(TURNING, mark);
}

function mark(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
