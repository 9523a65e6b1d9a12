import type { MessageCategory, ProjectChannel, SeriesRowFragment } from "../../gql/graphql";

export const UNITS = { minutes: 60, hours: 3_600, days: 86_400 } as const;
export type Unit = keyof typeof UNITS;

export type StepRow = SeriesRowFragment["steps"][number];

export interface StepDraft {
  channel: ProjectChannel;
  templateKey: string;
  /** the step as it is stored, whose version and senders stay; absent for a new one */
  stored?: StepRow;
  /** takes the newest version of the template instead of the stored one */
  newest?: boolean;
  /** each person gets the text in the own language */
  ownLanguage: boolean;
  amount: number;
  unit: Unit;
  after: "entry" | "previous";
}

export interface SeriesDraft extends Record<string, unknown> {
  name: string;
  topic: string;
  segment: string;
  category: MessageCategory;
  existing: "skip" | "enter";
  stopOnReply: boolean;
  stopOnLeave: boolean;
  steps: StepDraft[];
}

export const newStep = (first: boolean): StepDraft => ({
  channel: "email",
  templateKey: "",
  ownLanguage: true,
  amount: first ? 0 : 2,
  unit: first ? "minutes" : "days",
  after: "previous",
});

/** A delay in the largest unit that it is a whole number of. */
export function delayOf(seconds: number): { amount: number; unit: Unit } {
  const fits = (["days", "hours"] as const).find((unit) => seconds > 0 && seconds % UNITS[unit] === 0);
  const unit = fits ?? "minutes";
  return { amount: Math.round(seconds / UNITS[unit]), unit };
}

export function draftOf(series: SeriesRowFragment | undefined): SeriesDraft {
  return {
    name: series?.name ?? "",
    topic: series?.topicId ?? "",
    segment: series?.segmentId ?? "",
    category: series?.category ?? "promotional",
    existing: series?.existing ?? "skip",
    stopOnReply: series?.stopOnReply ?? true,
    stopOnLeave: series?.stopOnLeave ?? false,
    steps: series
      ? series.steps.map((stored) => ({
          channel: stored.channel,
          templateKey: stored.templateKey,
          after: stored.after,
          ownLanguage: stored.localeFrom != null,
          stored,
          ...delayOf(stored.delay),
        }))
      : [newStep(true)],
  };
}

/** What the form does not show of a stored step: the text belongs to the template, and the senders to the channel. */
function unshown({ channel, templateKey, stored, newest }: StepDraft) {
  if (!stored) return {};
  const text = { locale: stored.templateLocale, ...(!newest && { templateVersion: stored.templateVersion }) };
  const { from, sender, accountUuids } = stored;
  return {
    ...(templateKey === stored.templateKey && text),
    ...(channel === stored.channel && { from, sender, accountUuids }),
  };
}

/** The input of both mutations. */
export function inputOf(draft: SeriesDraft) {
  return {
    name: draft.name.trim(),
    topicId: draft.topic || null,
    segmentId: draft.segment || null,
    category: draft.category,
    existing: draft.existing,
    stopOnReply: draft.stopOnReply,
    stopOnLeave: draft.stopOnLeave && draft.segment !== "",
    steps: draft.steps.map((step) => ({
      ...unshown(step),
      channel: step.channel,
      templateKey: step.templateKey,
      localeFrom: step.ownLanguage ? (step.stored?.localeFrom ?? "locale") : null,
      after: step.after,
      delay: step.amount * UNITS[step.unit],
    })),
  };
}

export const isComplete = (draft: SeriesDraft) =>
  draft.name.trim() !== "" &&
  (draft.topic !== "" || (draft.segment !== "" && draft.category === "transactional")) &&
  draft.steps.every(({ templateKey }) => templateKey !== "");
