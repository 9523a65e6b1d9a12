import type {
  NewSendingProject,
  ProjectAudienceInput,
  ProjectOwnSettingsFragment,
  SendingProjectPatch,
  SendingRetryInput,
  SendingSpeedInput,
  SendingWindowInput,
  TextVariantInput,
  WhatsAppTemplateInput,
} from "../../../gql/graphql";
import { hasUnsubscribe } from "../../../frame/liquid/unsubscribe";

/** What somebody chooses for a project, in the form that the API takes. */
export interface Draft {
  name: string;
  channel: ProjectOwnSettingsFragment["channel"];
  category: ProjectOwnSettingsFragment["category"];
  accountId: string | null;
  accountUuids: string[];
  from: string | null;
  sender: string | null;
  subject: string;
  html: string;
  text: string;
  variants: TextVariantInput[];
  startAt: string | null;
  startWithinSeconds: number;
  window: SendingWindowInput | null;
  speed: SendingSpeedInput;
  onMissingVariable: ProjectOwnSettingsFragment["onMissingVariable"];
  stopOnReply: boolean;
  /** null: as the owner's brand says */
  trackClicks: boolean | null;
  attachmentUuids: string[];
  template: WhatsAppTemplateInput | null;
  retry: SendingRetryInput;
  /** the subscribers and segments that get it, or whom it follows; null: those who are added as recipients */
  audience: ProjectAudienceInput | null;
}

export type Edits = Partial<Draft>;

export const EMPTY: Draft = {
  name: "",
  channel: "sms",
  category: "promotional",
  accountId: null,
  accountUuids: [],
  from: null,
  sender: null,
  subject: "",
  html: "",
  text: "",
  variants: [],
  startAt: null,
  startWithinSeconds: 86_400,
  window: null,
  speed: {},
  onMissingVariable: "empty",
  stopOnReply: false,
  trackClicks: null,
  attachmentUuids: [],
  template: null,
  retry: {},
  audience: null,
};

export function draftOf(project: ProjectOwnSettingsFragment): Draft {
  const { window, speed } = project;
  return {
    name: project.name,
    channel: project.channel,
    category: project.category,
    accountId: project.accountId,
    accountUuids: [...project.accountUuids],
    from: project.from ?? null,
    sender: project.sender ?? null,
    subject: project.subject ?? "",
    html: project.html ?? "",
    text: project.text ?? "",
    variants: project.variants.map(({ text, weight }) => ({ text, weight })),
    startAt: project.startAt ?? null,
    startWithinSeconds: project.startWithinSeconds,
    window: window && {
      timezone: window.timezone,
      days: [...window.days],
      from: window.from,
      to: window.to,
      recipientTimezone: window.recipientTimezone,
    },
    speed: {
      perMinute: speed.perMinute ?? null,
      perAccountPerMinute: speed.perAccountPerMinute ?? null,
      jitterSeconds: speed.jitterSeconds ?? null,
    },
    onMissingVariable: project.onMissingVariable,
    stopOnReply: project.stopOnReply,
    trackClicks: project.trackClicks ?? null,
    attachmentUuids: [...project.attachmentUuids],
    template: project.template && {
      name: project.template.name,
      language: project.template.language,
      params: [...project.template.params],
    },
    retry: {
      maxAttempts: project.retry.maxAttempts ?? null,
      backoffSeconds: project.retry.backoffSeconds ?? null,
    },
    audience: project.audience && audienceOf(project.audience),
  };
}

function audienceOf(audience: NonNullable<ProjectOwnSettingsFragment["audience"]>): ProjectAudienceInput {
  const { follows } = audience;
  return {
    topicUuids: [...audience.topicUuids],
    segmentUuids: [...audience.segmentUuids],
    exceptTopicUuids: [...audience.exceptTopicUuids],
    exceptSegmentUuids: [...audience.exceptSegmentUuids],
    exceptProjectUuids: [...audience.exceptProjectUuids],
    follows: follows && { projectUuid: follows.projectUuid, until: follows.until, within: follows.within },
  };
}

/** Returns the change to send. Texts that are empty are removed. */
export function patchOf(edits: Edits): SendingProjectPatch {
  const patch: Record<string, unknown> = { ...edits };
  for (const name of ["from", "sender", "subject", "html", "text"])
    if (patch[name] === "") patch[name] = null;
  // Only an email has a From, and the server refuses it for other channels.
  if (edits.channel && edits.channel !== "email") patch.from = null;
  if (edits.channel && edits.channel !== "sms") patch.sender = null; // only SMS have one
  if (edits.name !== undefined && !edits.name.trim()) delete patch.name; // a project always has a name
  // A variant without a text is not finished; it stays in the browser until it has one.
  if (edits.variants?.some(({ text }) => !text.trim())) delete patch.variants;
  if (edits.template && !isTemplate(edits.template)) delete patch.template;
  return patch;
}

export function newProjectOf(draft: Draft): NewSendingProject {
  const { name, channel, from, sender, ...rest } = draft;
  const ofEmail = channel === "email" && from?.trim() ? { from } : {};
  const ofSms = channel === "sms" && sender ? { sender } : {};
  return { ...patchOf(rest), ...ofEmail, ...ofSms, name: name.trim(), channel } as NewSendingProject;
}

/** Returns the edits that are not saved yet: those that were sent, unless they have changed meanwhile. */
export function remaining(now: Edits, sent: Edits): Edits {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => sent[name as keyof Edits] !== value),
  );
}

/** The parts that the server did not take because they are unfinished. */
export function unsent(edits: Edits): Edits {
  const patch = patchOf(edits) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(edits).filter(([name]) => !(name in patch)));
}

const TEXTS = ["subject", "html", "text", "variants"] as const satisfies readonly (keyof Draft)[];

/** Returns the edits without those of texts, once a template has replaced the texts. */
export function withoutTexts(edits: Edits): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([name]) => !TEXTS.some((text) => text === name)));
}

/** The template that the texts of a project come from. */
export interface TextSource {
  templateId: string;
  version: number;
  locale: string;
  /** the languages of which each recipient gets the own one; empty: all get the same text */
  languages: readonly string[];
  /** the variable of the recipients that has their language */
  localeFrom: string | null;
}

/** Returns the template that the texts come from; null: they are the project's own, at least once the edits are saved. */
export function sourceOf(project: ProjectOwnSettingsFragment | null, edits: Edits): TextSource | null {
  if (!project?.templateId || project.templateVersion == null) return null;
  if (TEXTS.some((name) => name in edits)) return null;
  return {
    templateId: project.templateId,
    version: project.templateVersion,
    locale: project.templateLocale ?? "",
    languages: project.languages?.texts.map(({ locale }) => locale) ?? [],
    localeFrom: project.languages?.localeFrom ?? null,
  };
}

/** What somebody chooses on the way to the first text. It alone is no reason to make a draft. */
const CHOSEN_FIRST: readonly string[] = ["name", "channel", "category", "accountId", "accountUuids"];

/** Whether there is something to lose: a text, a file, a time. Until then a project is only in the browser. */
export function isWorthADraft(edits: Edits): boolean {
  return Object.entries(edits).some(
    ([name, value]) =>
      !CHOSEN_FIRST.includes(name) && JSON.stringify(value) !== JSON.stringify(EMPTY[name as keyof Draft]),
  );
}

export const STEPS = ["audience", "text", "schedule", "check"] as const;
export type StepName = (typeof STEPS)[number];

export function stepOf(text: string | null): StepName {
  return STEPS.find((step) => step === text) ?? "audience";
}

/** Whether a template of WhatsApp Cloud can be saved: its name and its language are those of Meta. */
export function isTemplate({ name, language }: WhatsAppTemplateInput): boolean {
  return /^[a-z0-9_]{1,512}$/.test(name) && /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language);
}

/** Channels that can send files. */
export function takesFiles(channel: Draft["channel"]): boolean {
  return channel === "email" || channel === "telegram" || channel === "whatsapp";
}

/** Whether the project says what to send. */
export function hasText(draft: Draft): boolean {
  if (draft.template && isTemplate(draft.template)) return true;
  if (draft.channel !== "email" && draft.attachmentUuids.length > 0) return true;
  const body =
    draft.variants.length > 0 ? draft.variants.every(({ text }) => text.trim()) : draft.text.trim();
  if (draft.channel === "email") return Boolean(draft.subject.trim() && (body || draft.html.trim()));
  return Boolean(body);
}

export function needsSenders(channel: Draft["channel"]): boolean {
  return channel === "telegram" || channel === "whatsapp";
}

/** Whether an advertising email has a part in which its reader sees no way to unsubscribe. */
export function lacksUnsubscribe({ channel, category, text, html, variants, template }: Draft): boolean {
  if (channel !== "email" || category !== "promotional" || template) return false;
  const texts = variants.length > 0 ? variants.map((variant) => variant.text) : [text];
  return [...texts, html].some((part) => part.trim() !== "" && !hasUnsubscribe(part));
}

/** Returns the texts with a line at their end by which readers unsubscribe; `word` is what the link says. */
export function withUnsubscribe({ text, html, variants }: Draft, word: string): Edits {
  const plain = (part: string) =>
    !part.trim() || hasUnsubscribe(part) ? part : `${part.trimEnd()}\n\n${word}: {{ unsubscribe_url }}`;
  const line = `<p><a href="{{ unsubscribe_url }}">${word}</a></p>`;
  const end = html.search(/<\/body>/i);
  const marked = end < 0 ? `${html}\n${line}` : `${html.slice(0, end)}${line}\n${html.slice(end)}`;
  return {
    ...(variants.length > 0
      ? { variants: variants.map((variant) => ({ ...variant, text: plain(variant.text) })) }
      : { text: plain(text) }),
    ...(html.trim() && !hasUnsubscribe(html) && { html: marked }),
  };
}
