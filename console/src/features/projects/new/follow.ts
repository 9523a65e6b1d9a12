import type { FollowedProjectQuery, StepUntil } from "../../../gql/graphql";
import type { Problem } from "../../../frame/api/errors";
import type { Draft, Edits } from "./draft";

/** The project that another one follows, as far as the steps need it. */
export type Followed = NonNullable<FollowedProjectQuery["sendingProject"]>;

const LONGEST_NAME = 200;
const A_DAY = 86_400;
const SHORTEST = 60;
const LONGEST = 30 * A_DAY;

const SECONDS = { minute: 60, hour: 3600, day: A_DAY } as const;
export type Scale = keyof typeof SECONDS;
export const SCALES = ["minute", "hour", "day"] as const satisfies readonly Scale[];

/** Returns a time in the largest scale in which it is a whole number. */
export function spanOf(seconds: number): { count: number; scale: Scale } {
  const scale = [...SCALES].reverse().find((one) => seconds % SECONDS[one] === 0) ?? "minute";
  return { count: seconds / SECONDS[scale], scale };
}

/** Returns the seconds; null if the API takes no such time: a minute at least, and 30 days at most. */
export function secondsOf(count: number, scale: Scale): number | null {
  const seconds = count * SECONDS[scale];
  return Number.isInteger(count) && seconds >= SHORTEST && seconds <= LONGEST ? seconds : null;
}

/** Writes a time in words: "1 hour". */
export function spanText(language: string, seconds: number): string {
  const { count, scale } = spanOf(seconds);
  return new Intl.NumberFormat(language, { style: "unit", unit: scale, unitDisplay: "long" }).format(count);
}

/** The states that messages of a channel may be reported to have, as resolvers/sending_projects/project_checks.py says. */
export function statesOf(channel: Draft["channel"]): readonly StepUntil[] {
  if (channel === "whatsapp") return ["accepted", "delivered", "read"];
  if (channel === "telegram") return ["accepted", "read"];
  return ["accepted", "delivered"];
}

/** Returns what a follow-up begins with: everything but its text. */
export function followUpOf(followed: Followed, name: string): Edits {
  const { uuid, channel, category, accountId, audience } = followed;
  return {
    name: name.slice(0, LONGEST_NAME),
    channel: channel === "email" ? "sms" : "email",
    category,
    accountId,
    audience: {
      topicUuids: [...(audience?.topicUuids ?? [])],
      follows: { projectUuid: uuid, within: A_DAY },
    },
  };
}

/** Returns what the server says about the state that somebody has chosen; undefined if it says nothing about it. */
export function refusedState({ audience }: Draft, problem: Problem | null): string | undefined {
  // The state that the server chooses itself is never refused: then it is the chain that can't be.
  return problem?.code === "bad_chain" && audience?.follows?.until ? problem.message : undefined;
}
