// Prints what a browser loads, compressed, and fails if the first page is too large.
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

// Bytes from the login to the overview. Browsers ask for brotli with TLS (and on this machine), else for gzip.
const LIMITS = { brotli: 180_000, gzip: 200_000 };
const FIRST = ["index.html", "src/early.ts", "src/features/overview/Chart.tsx"];

const manifest = JSON.parse(readFileSync("dist/manifest.json", "utf8"));
const ALGORITHMS = {
  brotli: (file) =>
    (existsSync(`dist/${file}.br`) ? readFileSync(`dist/${file}.br`) : readFileSync(`dist/${file}`)).length,
  gzip: (file) => gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length,
};
const sizeOf = ALGORITHMS.brotli;

/** Returns the files of an entry and of everything that it imports statically. */
function filesOf(key, found = new Set(), seen = new Set()) {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return found;
  seen.add(key);
  found.add(chunk.file);
  for (const style of chunk.css ?? []) found.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, found, seen);
  return found;
}

const missing = FIRST.filter((key) => !manifest[key]);
if (missing.length > 0) throw new Error(`The build has no chunk for ${missing.join(", ")}`);

// One language is loaded at a time; the larger one counts.
const languages = Object.keys(manifest).filter((key) => /^src\/frame\/i18n\/(en|ru)\/index\.ts$/.test(key));
const first = new Set(FIRST.flatMap((key) => [...filesOf(key)]));
const language = languages
  .map((key) => [...filesOf(key)].filter((file) => !first.has(file)))
  .sort((a, b) => sum(b) - sum(a))[0];
for (const file of language ?? []) first.add(file);

function sum(files, size = sizeOf) {
  return [...files].reduce((total, file) => total + size(file), 0);
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`;
console.log("First load (login, overview, one language), brotli:");
for (const file of [...first].sort((a, b) => sizeOf(b) - sizeOf(a))) {
  console.log(`  ${kilobytes(sizeOf(file))}  ${file}`);
}
first.add("index.html");
for (const [name, limit] of Object.entries(LIMITS)) {
  const total = sum(first, ALGORITHMS[name]);
  console.log(`  ${kilobytes(total)}  of ${kilobytes(limit).trim()} with ${name}`);
  if (total > limit) {
    console.error("The first load is too large.");
    process.exitCode = 1;
  }
}
console.log("Loaded later, brotli:");
const later = new Set(
  Object.keys(manifest)
    .flatMap((key) => [...filesOf(key)])
    .filter((file) => !first.has(file)),
);
for (const file of [...later]
  .filter((file) => /\.(js|css)$/.test(file))
  .sort((a, b) => sizeOf(b) - sizeOf(a))) {
  console.log(`  ${kilobytes(sizeOf(file))}  ${file}`);
}
