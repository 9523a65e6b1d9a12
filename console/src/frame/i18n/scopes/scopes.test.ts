import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import en from "./en";
import ru from "./ru";

// The permissions as the server has them.
const SOURCE = readFileSync(new URL("../../../../../runtime/permissions.py", import.meta.url), "utf8");
const NAMES = [...SOURCE.matchAll(/"([a-z-]+):([a-z]+)"/g)].map(
  ([, area = "", act = ""]) => [area, act] as const,
);

test.each([
  ["English", en],
  ["Russian", ru],
])("every permission has a text: %s", (_, texts) => {
  const scopes = texts.scopes as Record<string, Record<string, string> | undefined>;
  expect(NAMES.length).toBeGreaterThan(40);
  const missing = NAMES.filter(([area, act]) => !scopes[area]?.area || !scopes[area][act]);
  expect(missing).toEqual([]);
});
