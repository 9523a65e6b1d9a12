/**
 * Prepares the HTML of an email for its preview.
 *
 * The preview is a frame without scripts, with an origin of its own. It inherits the console's policy, which allows
 * styles only with the page's nonce: `<style>` gets it, and `style="…"` becomes a rule of such an element.
 */
export function previewDocument(html: string, nonce: string, dark = false): string {
  const rules: string[] = [];
  const body = html.replace(/<[a-z][^<>]*>/gi, (tag) => {
    if (/^<style\b/i.test(tag)) return nonce ? tag.replace(/^<style/i, `<style nonce="${nonce}"`) : tag;
    return tag.replace(/\sstyle\s*=\s*("([^"]*)"|'([^']*)')/i, (...groups: string[]) => {
      const text = unescaped(groups[2] ?? groups[3] ?? "");
      const name = `p${rules.length}`;
      // Repeated, the selector is as strong as an attribute would be.
      const selector = `[data-preview="${name}"]`;
      rules.push(`${selector}${selector}${selector}{${text.replace(/[{}<]/g, "")}}`);
      return ` data-preview="${name}"`;
    });
  });
  const colors = dark
    ? "html:root{color-scheme:dark}body{margin:12px;font-family:sans-serif;background:#121212;color:#e8e6e3}"
    : "html:root{color-scheme:light}body{margin:12px;font-family:sans-serif;background:#fff;color:#000}";
  const attribute = nonce ? ` nonce="${nonce}"` : "";
  return (
    `<!doctype html><meta charset="utf-8"><base target="_blank">` +
    `<style${attribute}>${colors}` +
    `img{max-width:100%}${rules.join("")}</style>${body}`
  );
}

function unescaped(text: string): string {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&amp;/g, "&");
}
