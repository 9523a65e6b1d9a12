import { describe, expect, it } from "vitest";
import { PagedList, refreshed } from "./PagedList";

const row = (uuid: string, state = "active") => ({ uuid, state });

/** A list whose pages of two rows come from `all`, which a test may change. */
function listOf(all: { uuid: string; state: string }[]) {
  return new PagedList((after) => {
    const begin = after === null ? 0 : Number(after);
    const pageInfo = { hasNextPage: begin + 2 < all.length, endCursor: String(begin + 2) };
    const page = { nodes: all.slice(begin, begin + 2), pageInfo, totalCount: all.length };
    return Promise.resolve({ page, error: undefined });
  });
}

describe("a list that is scrolled", () => {
  it("shows what has changed when it is seen again, and stays in its place", async () => {
    const all = [row("a"), row("b"), row("c"), row("d"), row("e")];
    const list = listOf(all);
    await list.reload();
    await list.more();
    list.offset = 300;
    all[2] = row("c", "suspended");
    all.splice(1, 1); // b is deleted
    all.unshift(row("new"));
    await list.refresh();
    expect(list.state.get().rows).toEqual([row("a"), row("c", "suspended"), row("d")]);
    expect(list.state.get().total).toBe(5);
    await list.more();
    expect(list.state.get().rows.at(-1)).toEqual(row("e"));
  });

  it("keeps rows that were not read again", () => {
    expect(refreshed([row("a"), row("b"), row("c")], [row("a", "off")], false)).toEqual([
      row("a", "off"),
      row("b"),
      row("c"),
    ]);
    expect(refreshed([row("a"), row("b")], [row("a")], true)).toEqual([row("a")]);
  });
});
