const A_DAY_MS = 86_400_000;
const MOST = 3; // each is counted on its own

interface Started {
  uuid: string;
  name: string;
  startedAt?: string | null;
}

/** Returns the projects that were started within the last day, without those that are left out already. */
export function startedLately<Row extends Started>(
  rows: readonly Row[],
  now: number,
  without: readonly string[],
): Row[] {
  return rows
    .filter(
      ({ uuid, startedAt }) => startedAt && now - Date.parse(startedAt) < A_DAY_MS && !without.includes(uuid),
    )
    .slice(0, MOST);
}
