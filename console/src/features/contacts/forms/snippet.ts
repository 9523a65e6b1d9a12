/** Returns the address of a form's own page. */
export function pageOf(origin: string, uuid: string): string {
  return `${origin}/signup/${uuid}`;
}

/** Returns the HTML of a form that can stand on any page. With one topic there is nothing to choose. */
export function snippetOf(page: string, topics: readonly { key: string; name: string }[]): string {
  const boxes =
    topics.length > 1
      ? topics.map(
          ({ key, name }) =>
            `  <label><input type="checkbox" name="topic" value="${escaped(key)}"> ${escaped(name)}</label>`,
        )
      : [];
  return [
    `<form method="post" action="${escaped(page)}">`,
    `  <input type="email" name="email" required> <input name="name">`,
    ...boxes,
    `  <input name="website" hidden tabindex="-1" autocomplete="off">`,
    `  <button>Sign up</button>`,
    `</form>`,
  ].join("\n");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
