import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { kept } from "../../../frame/memory";
import type { VersionTextsFragment } from "../../../gql/graphql";
import { ChangeVersion, SaveVersion } from "./documents";
import { draftOf, emptyVersion, inputOf, isSame, type VersionDraft } from "./draft";

/** What was typed and not saved, by version: it is still there when the page is left, or read again. */
const drafts = kept<VersionDraft>("template");

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
  const [problem, setProblem] = useState<Problem | null>(null);
  const base = version ? draftOf(version) : emptyVersion(locale);
  const draft = edits ?? base;
  const dirty = edits !== undefined && !isSame(edits, base);

  function forget() {
    drafts.delete(key);
    setEdits(undefined);
    setProblem(null);
  }

  return {
    draft,
    dirty,
    busy,
    problem,
    change: (next: VersionDraft) => {
      drafts.set(key, next);
      setEdits(next);
      setProblem(null);
    },
    discard: forget,
    /** Saves the draft. Returns the version; null: it was refused, and `problem` says why. */
    save: async (): Promise<VersionTextsFragment | null> => {
      if (version && !dirty) return version;
      setBusy(true);
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
      forget();
      onSaved(saved);
      return saved;
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;
