import type { AttentionQuery, DoctorFindingsQuery, QueueFieldsFragment } from "../../gql/graphql";

/** Something that a person should look at. `key` names its sentence in the catalogue, `values` fill it. */
export interface Matter {
  id: string;
  kind:
    | "projectPaused"
    | "projectStuck"
    | "approvalsWait"
    | "routeOpen"
    | "routeWaits"
    | "queueWaits"
    | "balanceEmpty"
    | "balanceLow"
    | "messengerAccount"
    | "webhookDisabled"
    | "webhookFails"
    | "webhookMissed"
    | "feedNearlyFull"
    | "tariffNearlyUsed"
    | "systemError"
    | "systemDegraded"
    | "doctorError"
    | "doctorWarnings"
    | "unknownMessages";
  severity: "bad" | "warning";
  values: Record<string, string>;
  amounts?: Record<string, number>;
  currency?: string;
  /** a code that the catalogue may explain */
  reason?: string | null;
  /** a time that belongs to it */
  at?: string | null;
  link?: string;
}

const WAITS_TOO_LONG = 120; // seconds; a queue that is older has no worker, or a worker that is stuck
const NEARLY = 0.9; // of the tariff's messages a day

export function matters(
  data: AttentionQuery | undefined,
  queue: QueueFieldsFragment | null | undefined,
  unknown: { direct: number; project: number },
  doctor?: DoctorFindingsQuery,
  isFree = false,
): Matter[] {
  const items: Matter[] = [...systemMatters(data), ...queueMatters(queue), ...doctorMatters(doctor)];
  for (const project of data?.sendingProjects?.nodes ?? []) {
    items.push({
      id: `paused-${project.uuid}`,
      kind: "projectPaused",
      severity: "bad",
      values: { name: project.name },
      reason: project.statusReason,
      at: project.resumeAt,
      link: `/messages?kind=project&project=${project.uuid}`,
    });
  }
  for (const { uuid, stuck, project, lastProgressAt } of data?.processingHealth?.projects ?? []) {
    if (!stuck) continue;
    items.push({
      id: `stuck-${uuid}`,
      kind: "projectStuck",
      severity: "bad",
      values: { name: project?.name ?? uuid },
      at: lastProgressAt,
      link: `/messages?kind=project&project=${uuid}`,
    });
  }
  const waiting = data?.approvals?.totalCount ?? 0;
  if (waiting > 0) {
    items.push({
      id: "approvals",
      kind: "approvalsWait",
      severity: "warning",
      values: {},
      amounts: { count: waiting },
      link: "/approvals",
    });
  }
  // While messages cost nothing, an empty account is no matter.
  if (!isFree) items.push(...accountMatters(data));
  items.push(...tariffMatters(data), ...integrationMatters(data));
  if (unknown.direct + unknown.project > 0) {
    items.push({
      id: "unknown",
      kind: "unknownMessages",
      severity: "warning",
      values: {},
      amounts: { count: unknown.direct + unknown.project },
      link: unknown.project > 0 ? "/messages?kind=project&status=unknown" : "/messages?status=unknown",
    });
  }
  return items.sort((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"));
}

function systemMatters(data: AttentionQuery | undefined): Matter[] {
  const status = data?.readiness?.status;
  if (!status || status === "ok") return [];
  const failing = Object.keys((data.readiness?.error as object | null) ?? {}).join(", ");
  return status === "error"
    ? [{ id: "system", kind: "systemError", severity: "bad", values: { parts: failing || "?" } }]
    : [{ id: "system", kind: "systemDegraded", severity: "warning", values: {} }];
}

/** Each error is a matter of its own; warnings are one together, since an installation may have some for good. */
function doctorMatters(data: DoctorFindingsQuery | undefined): Matter[] {
  const findings = data?.doctor?.findings ?? [];
  const items: Matter[] = findings
    .filter((finding) => finding.severity === "error")
    .map(({ topic, text, advice }, index) => ({
      id: `doctor-${index}`,
      kind: "doctorError",
      severity: "bad",
      values: { topic, text, advice: advice ?? "" },
      link: "/system",
    }));
  const count = findings.filter((finding) => finding.severity === "warning").length;
  if (count > 0) {
    items.push({
      id: "doctor",
      kind: "doctorWarnings",
      severity: "warning",
      values: {},
      amounts: { count },
      link: "/system",
    });
  }
  return items;
}

function queueMatters(queue: QueueFieldsFragment | null | undefined): Matter[] {
  if (!queue) return [];
  const items: Matter[] = queue.routes
    .filter((route) => route.state !== "closed")
    .map((route) => ({
      id: `route-${route.name}`,
      kind: route.waiting ? "routeWaits" : "routeOpen",
      severity: "bad",
      values: { name: route.name },
      ...(route.waiting && { amounts: { count: route.waiting, seconds: secondsSince(route.waitingSince) } }),
      at: route.probeAt,
    }));
  const projects = { count: queue.queued, seconds: queue.oldestQueuedSeconds };
  const direct = { count: queue.directQueued ?? 0, seconds: queue.directOldestSeconds ?? 0 };
  const waiting = [projects, direct].filter(({ count, seconds }) => count > 0 && seconds > WAITS_TOO_LONG);
  if (waiting.length > 0) {
    items.push({
      id: "queue",
      kind: "queueWaits",
      severity: "bad",
      values: {},
      amounts: {
        count: waiting.reduce((sum, { count }) => sum + count, 0),
        seconds: Math.max(...waiting.map(({ seconds }) => seconds)),
      },
    });
  }
  return items;
}

function secondsSince(time: string | null): number {
  return time ? Math.max(0, (Date.now() - Date.parse(time)) / 1000) : 0;
}

/** Returns the accounts that the page shows: one's own, or those of the owner. */
export function accountsOf(data: AttentionQuery | undefined) {
  return (data?.accounts ?? data?.me?.accounts)?.nodes ?? [];
}

function accountMatters(data: AttentionQuery | undefined): Matter[] {
  const items: Matter[] = [];
  for (const account of accountsOf(data)) {
    const { uuid, name, balance, currency, lowBalance } = account;
    const low = lowBalance !== null && balance < lowBalance;
    if (balance > 0 && !low) continue;
    items.push({
      id: `balance-${uuid}`,
      kind: balance > 0 ? "balanceLow" : "balanceEmpty",
      severity: balance > 0 ? "warning" : "bad",
      values: { name },
      amounts: { balance },
      currency,
    });
  }
  return items;
}

function tariffMatters(data: AttentionQuery | undefined): Matter[] {
  const items: Matter[] = [];
  const tariff = data?.tariff;
  if (tariff && tariff.used.messagesToday >= tariff.messagesPerDay * NEARLY) {
    items.push({
      id: "tariff",
      kind: "tariffNearlyUsed",
      severity: "warning",
      values: {},
      amounts: { used: tariff.used.messagesToday, limit: tariff.messagesPerDay },
      at: tariff.used.resetsAt,
    });
  }
  return items;
}

function integrationMatters(data: AttentionQuery | undefined): Matter[] {
  const items: Matter[] = [];
  for (const account of data?.messengerAccounts?.nodes ?? []) {
    items.push({
      id: `messenger-${account.uuid}`,
      kind: "messengerAccount",
      severity: "bad",
      values: {
        name: account.name || account.login,
        source: account.source,
        why: account.reason ?? account.state,
      },
      link: `/messengers/${account.uuid}`,
    });
  }
  for (const webhook of data?.webhooks?.nodes ?? []) {
    const values = { url: webhook.url, why: webhook.disabledReason ?? webhook.lastError ?? "" };
    const base = { id: `webhook-${webhook.uuid}`, values } as const;
    if (webhook.disabledReason) items.push({ ...base, kind: "webhookDisabled", severity: "bad" });
    else if (webhook.enabled && webhook.failures > 0)
      items.push({
        ...base,
        kind: "webhookFails",
        severity: "warning",
        amounts: { count: webhook.failures },
      });
    else if (webhook.missed > 0 || webhook.dead > 0)
      items.push({
        ...base,
        kind: "webhookMissed",
        severity: "warning",
        amounts: { missed: webhook.missed, dead: webhook.dead },
      });
  }
  const feed = data?.eventFeed;
  if (feed?.nearlyFull) {
    items.push({
      id: "feed",
      kind: "feedNearlyFull",
      severity: "warning",
      values: {},
      amounts: { used: feed.count, limit: feed.limit },
    });
  }
  return items;
}
