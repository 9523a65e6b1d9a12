import { useEffect, useState } from "react";
import { useClient, type Client } from "urql";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/format";
import type { ProjectChoicesQuery } from "../../../gql/graphql";
import { BlockedAmong, PlanRecipients, PreviewText } from "./documents";
import type { Draft } from "./draft";
import { audienceOf, finishOf, priceOf, willSend, type Audience, type PlannedRecipient } from "./plan";
import { payerOf, rateFor } from "./planOf";
import type { DraftState } from "./useDraft";
import { weekOf, DAYS } from "./window";

const PAGE = 100;
const LOOKED_AT = 1_000; // recipients; more would make the server work for an estimate

interface Sample {
  recipients: PlannedRecipient[];
  blocked: Set<string>;
  failed: boolean;
}

/** What will happen when the project is started, as far as the API tells it: who gets it, the price and the end. */
export function usePlan(state: DraftState, choices: ProjectChoicesQuery | undefined) {
  const { draft, project } = state;
  const format = useFormat();
  const [now] = useState(() => Date.now());
  const sample = useSample(project?.uuid ?? null, project?.recipients?.totalCount ?? 0, draft.category);
  const text = draft.variants[0]?.text ?? draft.text;
  const content = { channel: draft.channel, text, subject: draft.subject || null, html: draft.html || null };
  // Rendered for nobody, the texts say which variables they need.
  const bare = useLoaded(PreviewText, { input: { ...content, variables: {} } });
  const first = project?.recipients?.nodes[0];
  const preview = useLoaded(
    PreviewText,
    { input: { ...content, sendingProjectUuid: project?.uuid, recipientUuid: first?.uuid } },
    !first,
  );
  const required = (bare.data?.previewMessage?.missing ?? []).filter((name) => name !== "unsubscribe_url");
  const total = project?.recipients?.totalCount ?? 0;
  const audience: Audience | null = sample
    ? audienceOf(sample.recipients, {
        channel: draft.channel,
        blocked: sample.blocked,
        required,
        skip: draft.onMissingVariable === "skip",
      })
    : null;
  const sent = audience ? willSend(audience, total) : total;
  const account = payerOf(draft, choices);
  const price = account ? priceOf(choices?.tariff?.prices, account.currency, draft.channel) : undefined;
  const segments = preview.data?.previewMessage?.segments ?? 1;
  const cost = price === undefined ? null : price * segments * sent;
  const rate = rateFor(draft, choices);
  const startsAt = Math.max(now, draft.startAt ? Date.parse(draft.startAt) : 0);
  const finish =
    rate && sent > 0
      ? finishOf({
          count: sent,
          rate,
          startsAt,
          week: draft.window ? weekOf({ ...draft.window, days: draft.window.days ?? [...DAYS] }) : null,
          timezone: draft.window?.timezone ?? "UTC",
        })
      : null;
  return {
    total,
    sent,
    audience,
    complete: sample !== null && !sample.failed && sample.recipients.length >= total,
    account,
    price,
    segments,
    cost,
    costText: cost !== null && account ? format.money(cost, account.currency) : null,
    rate,
    finish,
    startsAt,
    /** null: as soon as it is started */
    begins: startsAt === now && (!finish || finish.begins === now) ? null : (finish?.begins ?? startsAt),
    tooDear: cost !== null && account !== null && cost > account.balance,
    tooMany: total > (choices?.tariff?.maxRecipientsPerProject ?? Infinity),
  };
}

export type Plan = ReturnType<typeof usePlan>;

/** Looks at the first recipients, and asks which of them are blocked. */
function useSample(uuid: string | null, total: number, category: Draft["category"]): Sample | null {
  const client = useClient();
  const [sample, setSample] = useState<Sample | null>(null);
  useEffect(() => {
    if (!uuid) return;
    let current = true;
    void read(client, uuid, category).then((found) => {
      if (current) setSample(found);
    });
    return () => {
      current = false;
    };
  }, [client, uuid, total, category]);
  return sample;
}

async function read(client: Client, uuid: string, category: Draft["category"]): Promise<Sample> {
  const sample: Sample = { recipients: [], blocked: new Set(), failed: false };
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(client, uuid, after);
    if (!page) return { ...sample, failed: true };
    sample.recipients.push(...page.nodes);
    const addresses = page.nodes.map(({ address }) => address);
    if (addresses.length > 0) {
      const blocked = await client
        .query(BlockedAmong, { addresses }, { requestPolicy: "network-only" })
        .toPromise();
      for (const { phone, scope } of blocked.data?.blockedPhones?.nodes ?? []) {
        if (scope === "all" || category === "promotional") sample.blocked.add(phone);
      }
    }
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after && sample.recipients.length < LOOKED_AT);
  return sample;
}

async function pageOf(client: Client, id: string, after: string | null) {
  const result = await client
    .query(PlanRecipients, { id, first: PAGE, after }, { requestPolicy: "network-only" })
    .toPromise();
  return result.data?.recipients ?? null;
}
