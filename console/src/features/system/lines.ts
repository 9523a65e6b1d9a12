import type { AllowlistLinesQuery, AllowlistReason } from "../../gql/graphql";

export type Line = NonNullable<AllowlistLinesQuery["ipAllowlistLines"]>[number];

/** All requests of one address. */
export interface Group {
  address: string;
  count: number;
  /** of the newest request */
  lastAt: string;
  /** why the newest was not allowed */
  reason: AllowlistReason;
  /** whether the list has the address by now */
  listed: boolean;
  /** what it requested, the most frequent first */
  paths: string[];
}

/** Puts requests together by their address; the address that asks most is first. `lines` are the newest first. */
export function byAddress(lines: readonly Line[]): Group[] {
  const groups = new Map<string, Group & { counts: Map<string, number> }>();
  for (const line of lines) {
    let group = groups.get(line.address);
    if (!group) {
      const { address, at: lastAt, reason, listed } = line;
      group = { address, count: 0, lastAt, reason, listed, paths: [], counts: new Map() };
      groups.set(address, group);
    }
    group.count += 1;
    const path = `${line.method} ${line.path}`;
    group.counts.set(path, (group.counts.get(path) ?? 0) + 1);
  }
  return [...groups.values()]
    .map(({ counts, ...group }) => ({
      ...group,
      paths: [...counts].sort((a, b) => b[1] - a[1]).map(([path]) => path),
    }))
    .sort((a, b) => Number(a.listed) - Number(b.listed) || b.count - a.count);
}

export function filtered(lines: readonly Line[], text: string): Line[] {
  const needle = text.trim().toLowerCase();
  return lines.filter(({ address }) => address.toLowerCase().includes(needle));
}
