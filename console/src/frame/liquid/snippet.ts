const LONGEST = 140;

/** Returns what an inbox shows after the subject: the beginning of the text, or of the HTML without its tags. */
export function snippetOf(body: string, html: string | null): string {
  const source = html
    ? html
        .replace(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, " ")
        .replace(/<!--[\s\S]*?-->/g, " ")
        .replace(/<\/?(?:a|abbr|b|code|em|font|i|small|span|strong|sub|sup|u)\b[^<>]*>/gi, "")
        .replace(/<[^<>]*>/g, " ")
        .replace(/&nbsp;/gi, " ")
        .replace(/&lt;/gi, "<")
        .replace(/&gt;/gi, ">")
        .replace(/&quot;/gi, '"')
        .replace(/&#39;|&apos;/gi, "'")
        .replace(/&amp;/gi, "&")
    : body;
  const line = source.replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("").trimEnd()}…` : line;
}
