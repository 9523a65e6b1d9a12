import { expect, it } from "vitest";
import type { Message, Note } from "../model";
import { timeline } from "./timeline";

const message = (at: string) => ({ uuid: at, at }) as Message;
const note = (at: string) => ({ uuid: `n${at}`, createdAt: at }) as Note;
const ids = (entries: ReturnType<typeof timeline>) =>
  entries.map((entry) => (entry.message ?? entry.note)?.uuid);

it("puts notes between the messages, by their times", () => {
  const entries = timeline([message("2"), message("4")], [note("5"), note("3"), note("1")], false);
  expect(ids(entries)).toEqual(["2", "n3", "4", "n5"]);
  expect(entries[2]?.before?.uuid).toBe("2");
  expect(ids(timeline([message("2")], [note("1")], true))).toEqual(["n1", "2"]);
  expect(ids(timeline([], [note("2"), note("1")], false))).toEqual(["n1", "n2"]);
});
