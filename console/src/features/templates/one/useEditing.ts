import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { kept } from "../../../frame/memory";
import type { VersionTextsFragment } from "../../../gql/graphql";
import { ChangeVersion, SaveVersion } from "./documents";
import { draftOf, emptyVersion, inputOf, isSame, obstacle, type VersionDraft } from "./draft";

/** What was typed and not saved, by version: it is still there when the page is left, or read again. */
const drafts = kept<VersionDraft>("template");
/** So long after the last change a letter is saved by itself. */
const AUTOSAVE_MS = 5_000;

interface Options {
  template: string;
  /** the version as the server has it; null: it is a draft that was never saved */
  version: VersionTextsFragment | null;
  /** the language of the first text of a new draft */
  locale: string;
  onSaved: (version: VersionTextsFragment) => void;
}

/** A draft that is written: what of it is not saved, and how it is saved. */
export function useEditing({ template, version, locale, onSaved }: Options) {
  const client = useClient();
  const keys = useContentKey();
  const key = version?.uuid ?? `new:${template}`;
  const [edits, setEdits] = useState<VersionDraft | undefined>(() => drafts.get(key));
  const [busy, setBusy] = useState(false);
  const [revision, setRevision] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const base = version ? draftOf(version) : emptyVersion(locale);
  const draft = edits ?? base;
  const dirty = edits !== undefined && !isSame(edits, base);

  const latest = useRef(edits);

  function keep(at: string, next: VersionDraft | undefined) {
    latest.current = next;
    if (next) drafts.set(at, next);
    else drafts.delete(at);
    setEdits(next);
  }

  function forget() {
    keep(key, undefined);
    setProblem(null);
  }

  /** Saves the draft. Returns the version; null: it was refused, and `problem` says why. */
  async function save(): Promise<VersionTextsFragment | null> {
    if (version && !dirty) return version;
    setBusy(true);
    const sent = latest.current;
    const input = inputOf(draft);
    const result = version
      ? await client.mutation(ChangeVersion, { id: version.uuid, input }).toPromise()
      : await client.mutation(SaveVersion, { template, input }, keys.of(input)).toPromise();
    setBusy(false);
    const data = result.data as Record<string, VersionTextsFragment | null> | undefined;
    const saved = data?.changeTemplateVersion ?? data?.saveTemplateVersion;
    if (!saved) {
      if (result.error) setProblem(problemOf(result.error));
      return null;
    }
    keys.renew();
    setProblem(null);
    // What was changed while the answer was on its way is not saved yet.
    const meanwhile = latest.current === sent ? undefined : latest.current;
    if (key !== saved.uuid) drafts.delete(key);
    keep(saved.uuid, meanwhile);
    onSaved(saved);
    return saved;
  }

  const isLetter = draft.texts.some(({ source }) => source !== "");
  const waits = dirty && isLetter && !busy && problem === null && obstacle(draft) === null;
  const autosave = useEffectEvent(() => void save());
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(autosave, AUTOSAVE_MS);
    return () => clearTimeout(timer);
  }, [waits, edits]);

  return {
    draft,
    dirty,
    busy,
    problem,
    /** which draft is written: what was discarded begins anew */
    revision,
    change: (next: VersionDraft) => {
      keep(key, next);
      setProblem(null);
    },
    discard: () => {
      forget();
      setRevision((before) => before + 1);
    },
    save,
  };
}
