// Imports contacts from a file (CSV, XLSX, JSON …): `node import-contacts.js people.csv`. In Node 18, `File` is a class of
// node:buffer.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { iterate, Postern } from "postern-sdk";

const name = process.argv[2]!;
const postern = new Postern();

const file = await postern.files.upload({ body: { file: new File([await readFile(name)], basename(name)) } });
let made = await postern.contactImports.create({ body: { fileUuid: file.uuid, createFields: true } });
const path = { importUuid: made.uuid };
while (made.status === "processing") {
  await sleep(500);
  made = await postern.imports.get({ path });
}
console.log(made.status, made.valid, "valid", made.invalid, "invalid", made.statusReason ?? "");
for await (const row of iterate((page) =>
  postern.imports.listRows({ path, query: { ...page, valid: false } }),
)) {
  console.log("line", row.line, row.error?.message);
}
process.exitCode = made.status === "ready" ? 0 : 1;
