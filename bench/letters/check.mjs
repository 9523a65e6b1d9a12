// Reads the emails and HTML files of a folder as mail programs and linters do, and prints what they object to.
import { readdirSync, readFileSync } from "node:fs";
import { caniemail } from "caniemail";
import { HtmlValidate } from "html-validate";
import htmlhint from "htmlhint";
import { simpleParser } from "mailparser";

const [folder] = process.argv.slice(2);
const CLIENTS = [
  "gmail.*",
  "apple-mail.*",
  "outlook.*",
  "yahoo.*",
  "thunderbird.macos",
  "samsung-email.*",
];
// What some programs leave out, and the letter is whole without it: dark colors, columns below each other on phones,
// round corners, the height of a picture that is scaled, that a table is told to be none, and the color around the
// paper, which a table has, too.
const ENHANCEMENTS =
  /^(@media|<style> element|color-scheme meta tag|border-radius|height property|role attribute|<body> element)/;
const HINTS = {
  "tagname-lowercase": true,
  "attr-lowercase": true,
  "attr-value-double-quotes": true,
  "attr-no-duplication": true,
  "doctype-first": true,
  "tag-pair": true,
  "tag-self-close": false,
  "spec-char-escape": true,
  "id-unique": true,
  "src-not-empty": true,
  "title-require": true,
  "alt-require": true,
  "html-lang-require": true,
  "script-disabled": true,
};
// The tables, attributes and inline styles that emails need are errors of web pages.
const validator = new HtmlValidate({
  extends: ["html-validate:document"],
  rules: {
    "no-inline-style": "off",
    deprecated: "off",
    "no-deprecated-attr": "off",
    "attribute-boolean-style": "off",
  },
});

const errors = [];
const warnings = new Map();
let emails = 0;
for (const name of readdirSync(folder).sort()) {
  const content = readFileSync(`${folder}/${name}`);
  if (name.endsWith(".eml")) {
    emails += 1;
    const { subject, html, text, headers } = await simpleParser(content);
    for (const [part, value] of Object.entries({
      subject,
      html,
      text,
      dkim: headers.get("dkim-signature"),
    })) {
      if (!value) errors.push(`${name}: mailparser reads no ${part}`);
    }
    continue;
  }
  if (!name.endsWith(".html")) continue;
  const html = content.toString();
  for (const { line, message, rule } of htmlhint.HTMLHint.verify(html, HINTS)) {
    errors.push(`${name}:${line}: htmlhint ${rule.id}: ${message}`);
  }
  for (const result of (await validator.validateString(html)).results) {
    for (const { line, ruleId, message, severity } of result.messages) {
      if (severity === 2)
        errors.push(`${name}:${line}: html-validate ${ruleId}: ${message}`);
    }
  }
  const { issues } = caniemail({ clients: CLIENTS, html });
  for (const [client, features] of issues.errors ?? []) {
    for (const { title } of features) {
      if (ENHANCEMENTS.test(title)) {
        warnings.set(title, new Set([...(warnings.get(title) ?? []), client]));
      } else errors.push(`${name}: caniemail ${title} in ${client}`);
    }
  }
}
for (const [title, clients] of warnings)
  console.log(`enhancement ${title}: not in ${[...clients].join(", ")}`);
for (const error of errors) console.log(error);
console.log(
  `${emails} emails read by mailparser; ${errors.length} errors of mailparser, htmlhint, html-validate, caniemail`,
);
process.exitCode = errors.length > 0 || emails === 0 ? 1 : 0;
