import type { OneMessageQuery } from "../../../gql/graphql";
import { directRow, recordRow, type Row } from "../list/row";

type Direct = NonNullable<OneMessageQuery["message"]>;
type OneRecord = NonNullable<OneMessageQuery["messageRecord"]>;

export interface Step {
  name:
    | "received"
    | "accepted"
    | "queued"
    | "attempt"
    | "sent"
    | "delivered"
    | "read"
    | "replied"
    | "failed"
    | "unknown"
    | "skipped"
    | "canceled";
  at: string;
  /** why an attempt failed */
  detail?: string;
}

/** A message of either kind, as its page shows it. */
export interface Story {
  row: Row;
  direct: Direct | null;
  record: OneRecord | null;
  title: string;
  steps: Step[];
  /** whether its state can still change */
  open: boolean;
  /** whether its owner can still call it back */
  cancelable: boolean;
}

const FINAL = new Set(["delivered", "failed", "canceled", "read", "skipped"]);

export function storyOf(data: OneMessageQuery): Story | null {
  if (data.message) return directStory(data.message);
  return data.messageRecord ? recordStory(data.messageRecord) : null;
}

function directStory(direct: Direct): Story {
  const row = directRow(direct);
  const steps: Step[] = row.inbound
    ? [{ name: "received", at: direct.createdAt }]
    : [
        { name: "accepted", at: direct.createdAt },
        ...attempts(direct),
        ...step("sent", direct.sentAt),
        ...step("delivered", direct.deliveredAt),
        ...ending(row),
      ];
  return {
    row,
    direct,
    record: null,
    title: row.title,
    steps: ordered(steps),
    open: !row.inbound && !FINAL.has(row.state),
    cancelable: !row.inbound && (row.state === "scheduled" || row.state === "queued"),
  };
}

function recordStory(record: OneRecord): Story {
  const row = recordRow(record);
  const steps: Step[] = row.inbound
    ? [{ name: "received", at: record.queuedAt }]
    : [
        { name: "queued", at: record.queuedAt },
        ...attempts(record),
        ...step("sent", record.sentAt),
        ...step("delivered", record.deliveredAt),
        ...step("read", record.readAt),
        ...step("replied", record.repliedAt),
        ...ending(row),
      ];
  return {
    row,
    direct: null,
    record,
    title: row.title,
    steps: ordered(steps),
    open: !row.inbound && !FINAL.has(row.state),
    cancelable: false,
  };
}

/** The states that have no time of their own began with the last change. */
function ending(row: Row): Step[] {
  const { state } = row;
  if (state === "failed" || state === "unknown" || state === "skipped" || state === "canceled") {
    return [{ name: state, at: row.updatedAt }];
  }
  return [];
}

/** Attempts that failed, after which the message was queued again. */
function attempts({ failedAttempts }: Pick<Direct, "failedAttempts">): Step[] {
  return failedAttempts.map(({ at, code, reason, provider }) => ({
    name: "attempt",
    at,
    detail: [provider, reason ?? code].filter(Boolean).join(": "),
  }));
}

function step(name: Step["name"], at: string | null | undefined): Step[] {
  return at ? [{ name, at }] : [];
}

function ordered(steps: Step[]): Step[] {
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
