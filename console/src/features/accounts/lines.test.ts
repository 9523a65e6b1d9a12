import { describe, expect, it } from "vitest";
import { linesOf, type Entry } from "./lines";

const entry = (uuid: string, projectId: string | null = null, entries = 0): Entry => ({
  uuid,
  kind: "charge",
  amount: -1,
  note: null,
  entryCount: null,
  createdAt: "2026-01-01T00:00:00Z",
  projectId,
  projectCost: projectId ? { cost: 4, charged: 5, refunded: 1, entries } : null,
  message: null,
  sendingProject: null,
});
const inner = (uuid: string) => ({
  uuid,
  kind: "charge" as const,
  amount: -1,
  createdAt: "2026-01-01T00:00:00Z",
});
const kinds = (lines: ReturnType<typeof linesOf>) => lines.map(({ kind, uuid }) => `${kind} ${uuid}`);

describe("the lines of a ledger", () => {
  const entries = [entry("1", "p", 3), entry("2"), entry("3", "q", 1)];

  it("has one line for each project", () => {
    expect(kinds(linesOf(entries, true, new Map()))).toEqual(["project p", "entry 2", "entry 3"]);
    expect(kinds(linesOf(entries, false, new Map()))).toEqual(["entry 1", "entry 2", "entry 3"]);
  });

  it("shows what is inside of an unfolded one, and how to read on", () => {
    const part = { entries: [inner("1"), inner("0")], after: "x", loading: false, problem: null };
    const of = (state: typeof part | (Omit<typeof part, "after"> & { after: null })) =>
      kinds(linesOf(entries, true, new Map([["p", state]])));
    expect(of(part)).toEqual(["project p", "inside 1", "inside 0", "more p-more", "entry 2", "entry 3"]);
    expect(of({ ...part, after: null })).toEqual(["project p", "inside 1", "inside 0", "entry 2", "entry 3"]);
    expect(of({ ...part, entries: [], after: null, loading: true })[1]).toBe("more p-more");
  });
});
