import { describe, expect, it } from "vitest";
import type { ProjectOwnSettingsFragment } from "../../../gql/graphql";
import {
  draftOf,
  EMPTY,
  hasText,
  isWorthADraft,
  newProjectOf,
  patchOf,
  remaining,
  sourceOf,
  stepOf,
  unsent,
  withoutTexts,
} from "./draft";
import { letterOf, shareOf, withoutVariant, withVariant } from "./text/variants";

describe("a draft", () => {
  it("is made of more than a name and a channel", () => {
    expect(isWorthADraft({})).toBe(false);
    expect(
      isWorthADraft({ name: "Spring", channel: "email", accountUuids: ["a"], text: "", variants: [] }),
    ).toBe(false);
    expect(isWorthADraft({ text: "Hello" })).toBe(true);
    expect(isWorthADraft({ attachmentUuids: ["a"] })).toBe(true);
    expect(isWorthADraft({ speed: { perMinute: 5 } })).toBe(true);
    expect(isWorthADraft({ audience: { topicUuids: ["a"] } })).toBe(true);
    expect(isWorthADraft({ audience: null })).toBe(false);
  });

  it("removes empty texts, and keeps a name", () => {
    expect(patchOf({ text: "", name: "  ", subject: "Hi" })).toEqual({ text: null, subject: "Hi" });
  });

  it("does not send a variant that has no text yet", () => {
    const edits = {
      variants: [
        { text: "A", weight: 1 },
        { text: " ", weight: 1 },
      ],
      text: "A",
    };
    expect(patchOf(edits)).toEqual({ text: "A" });
    expect(unsent(edits)).toEqual({ variants: edits.variants });
  });

  it("keeps what was typed while it was saved", () => {
    const sent = { text: "Hello", name: "Spring" };
    expect(remaining({ text: "Hello you", name: "Spring" }, sent)).toEqual({ text: "Hello you" });
  });

  it("has the texts of a template until one of them is changed", () => {
    const project = {
      templateId: "a",
      templateVersion: 3,
      templateLocale: "pt",
    } as ProjectOwnSettingsFragment;
    expect(sourceOf(project, { name: "Spring" })).toEqual({
      templateId: "a",
      version: 3,
      locale: "pt",
      languages: [],
      localeFrom: null,
    });
    expect(sourceOf(project, { text: "Hello" })).toBeNull();
    expect(sourceOf({ ...project, templateId: null }, {})).toBeNull();
    expect(sourceOf(null, {})).toBeNull();
    expect(withoutTexts({ name: "Spring", text: "Hello", variants: [] })).toEqual({ name: "Spring" });
  });

  it("creates a project with its channel", () => {
    expect(newProjectOf({ ...EMPTY, name: " Spring " })).toMatchObject({ name: "Spring", channel: "sms" });
  });

  it("has a From only as an email", () => {
    const email = { ...EMPTY, channel: "email", from: "news@example.com" } as const;
    expect(newProjectOf(email)).toMatchObject({ from: "news@example.com" });
    expect(newProjectOf({ ...email, channel: "sms" })).not.toHaveProperty("from");
    expect(patchOf({ channel: "sms" })).toEqual({ channel: "sms", from: null });
    const sms = { ...EMPTY, channel: "sms", sender: "Acme" } as const;
    expect(newProjectOf(sms)).toMatchObject({ sender: "Acme" });
    expect(newProjectOf({ ...sms, channel: "email" })).not.toHaveProperty("sender");
    expect(patchOf({ channel: "email" })).toEqual({ channel: "email", sender: null });
    expect(patchOf({ sender: "" })).toEqual({ sender: null });
    expect(patchOf({ from: "" })).toEqual({ from: null });
  });

  it("knows whether there is something to send", () => {
    expect(hasText({ ...EMPTY, text: " " })).toBe(false);
    expect(hasText({ ...EMPTY, channel: "email", html: "<p>Hi</p>" })).toBe(false);
    expect(hasText({ ...EMPTY, channel: "email", html: "<p>Hi</p>", subject: "Hi" })).toBe(true);
    expect(hasText({ ...EMPTY, variants: [{ text: "A" }, { text: "" }] })).toBe(false);
  });

  it("keeps the project that it follows when it is opened and saved", () => {
    const follows = { projectUuid: "a", until: "delivered", within: 3600 } as const;
    const audience = {
      topicUuids: ["t"],
      segmentUuids: [],
      exceptTopicUuids: [],
      exceptSegmentUuids: [],
      exceptProjectUuids: [],
      follows,
    };
    const saved = { ...EMPTY, uuid: "b", status: "draft", variableLabels: {}, audience };
    const draft = draftOf(saved as unknown as ProjectOwnSettingsFragment);
    expect(draft.audience).toEqual(audience);
    expect(patchOf({ category: "transactional", audience: draft.audience }).audience).toEqual(audience);
    expect(newProjectOf({ ...draft, name: "Copy" }).audience).toEqual(audience);
    const lists = { ...saved, audience: null };
    expect(draftOf(lists as unknown as ProjectOwnSettingsFragment).audience).toBeNull();
  });

  it("begins with the first step", () => {
    expect([stepOf("text"), stepOf("no"), stepOf(null)]).toEqual(["text", "audience", "audience"]);
  });
});

describe("variants", () => {
  it("begin with the text that is there, and end with it", () => {
    const two = withVariant({ ...EMPTY, text: "Hello" });
    expect(two.variants).toHaveLength(2);
    const draft = {
      ...EMPTY,
      variants: [
        { text: "Hello", weight: 1 },
        { text: "Hi", weight: 3 },
      ],
    };
    expect(shareOf(draft.variants, 1)).toBe(0.75);
    expect(withoutVariant(draft, 0)).toEqual({ variants: [], text: "Hi" });
    expect(letterOf(2)).toBe("C");
  });
});
