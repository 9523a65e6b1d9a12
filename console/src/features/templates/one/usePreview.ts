import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { recipientOf, valuesOf } from "../../../frame/contacts/person";
import type { PersonFragment, ProjectChannel } from "../../../gql/graphql";
import { PreviewTyped, PreviewVersion } from "./documents";
import { dataOf, isLayered, type TextDraft, type VersionDraft } from "./draft";

const TYPING_MS = 500;

interface Options {
  /** the saved version; null: the draft was never saved */
  uuid: string | null;
  draft: VersionDraft;
  text: TextDraft;
  dirty: boolean;
}

/**
 * A text as the contact, or the test data, fills it.
 *
 * What is saved is rendered with its layout and its partials. What is being typed has neither on the server, so it is
 * rendered alone; if that would leave out half of it, what was saved is shown until it is saved again.
 */
export function usePreview({ uuid, draft, text, dirty }: Options) {
  const isEmail = Boolean(text.html.trim() || text.subject.trim() || !text.text.trim());
  const [chosen, choose] = useState<ProjectChannel | null>(null);
  const [person, pick] = useState<PersonFragment | null>(null);
  const channel = chosen ?? (isEmail ? "email" : "sms");
  const layered = isLayered(draft, text);
  const typed = uuid === null || (dirty && !layered);
  const [written] = useDebouncedValue(JSON.stringify([text, draft.testData]), TYPING_MS);
  const [{ subject, preheader, html, text: plain }, testData] = JSON.parse(written) as [TextDraft, string];
  const isEmpty = !plain.trim() && !html.trim();
  const takesSubject = channel === "email" || channel === "push";
  const variables = person ? valuesOf(recipientOf(person, channel)) : (dataOf(testData) ?? {});
  const ofTyped = useLoaded(
    PreviewTyped,
    {
      input: {
        channel,
        text: plain || null,
        subject: takesSubject ? subject || null : null,
        html: channel === "email" && html ? withPreheader(html, preheader) : null,
        variables,
      },
    },
    !typed || isEmpty,
  );
  const ofSaved = useLoaded(
    PreviewVersion,
    {
      id: uuid ?? "",
      input: { channel, locale: text.locale, ...(person && { contactId: person.uuid }) },
    },
    typed || isEmpty,
  );
  const { problem, loading, reload } = typed ? ofTyped : ofSaved;
  // Until what was just saved is rendered, the page shows what was typed, and not what was saved before it.
  const ofBefore = typed || loading ? ofTyped.data?.previewMessage : null;
  const rendered = ofBefore ?? (typed ? null : ofSaved.data?.templatePreview);
  return {
    channel,
    choose,
    person,
    pick,
    isEmpty,
    problem: isEmpty ? null : problem,
    loading: loading && !isEmpty,
    reload,
    /** null: nothing is rendered */
    rendered: isEmpty || problem || !rendered ? null : rendered,
    /** whether it is of what was saved, and that is not what is written now */
    old: !typed && dirty,
    /** whether its layout and its partials are not in it */
    partial: typed && layered,
  };
}

export type PreviewState = ReturnType<typeof usePreview>;

/** Returns the HTML with the preheader as its first text, as the server sends it. */
function withPreheader(html: string, preheader: string): string {
  if (!preheader) return html;
  const body = /<body\b[^<>]*>/i.exec(html);
  const end = body ? body.index + body[0].length : 0;
  return `${html.slice(0, end)}<div style="display:none">${preheader}</div>${html.slice(end)}`;
}
