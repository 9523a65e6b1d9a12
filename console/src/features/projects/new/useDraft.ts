import { useCallback, useEffect, useRef, useState } from "react";
import { useClient, type CombinedError } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import type { ProjectSettingsFragment, SendingProjectPatch } from "../../../gql/graphql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { kept } from "../../../frame/memory";
import { CreateProject, DraftProject, UpdateProject } from "./documents";
import {
  draftOf,
  EMPTY,
  isWorthADraft,
  newProjectOf,
  patchOf,
  remaining,
  sourceOf,
  unsent,
  withoutTexts,
  type Draft,
  type Edits,
} from "./draft";

const SAVE_AFTER_MS = 900;
const PENDING_MS = 1_500;

export type Saving = "saved" | "waiting" | "saving" | "refused";

/**
 * A project that is being made. It is a draft on the server; what the server does not have yet, or does not take, is
 * kept in the browser's session, so that nothing is lost by a reload.
 */
export function useDraft(uuid: string | null, suggested: Edits, onCreated: (uuid: string) => void) {
  const client = useClient();
  const keys = useContentKey();
  // What was typed for a new project is not that of a follow-up, and that of one follow-up is not another one's.
  const followed = suggested.audience?.follows?.projectUuid;
  const [fresh] = useState(followed ? `follow-${followed}` : "new");
  const [edits, setEdits] = useState<Edits>(() => drafts.get(uuid ?? fresh) ?? {});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const loaded = useLoaded(DraftProject, { id: uuid ?? "" }, uuid === null);
  const project = uuid ? (loaded.data?.sendingProject ?? null) : null;
  const latest = useRef(edits);
  // A step may save, and go on with what it began before the project had an id.
  const made = useRef<string | null>(null);
  const [own, setOwn] = useState<string | null>(null);
  const id = useCallback(() => uuid ?? made.current, [uuid]);
  const running = useRef<Promise<string | null> | null>(null);
  // The suggestion is made once; a new render must not change a name that somebody sees.
  const [first] = useState(() => ({ ...EMPTY, ...suggested }));
  // What a save has answered is newer than what was read before it.
  const [saved, setSaved] = useState<ProjectSettingsFragment | null>(null);
  const base = saved ?? project;
  const draft: Draft = { ...(base ? draftOf(base) : first), ...edits };
  const current = useRef(draft);
  useEffect(() => {
    current.current = draft;
  });
  // A read that has begun may not know what has changed since, so another one follows it.
  const [stale, setStale] = useState(false);
  const { loading, reload: readAgain } = loaded;
  useEffect(() => {
    if (!stale || loading || uuid === null) return;
    setStale(false);
    readAgain();
  }, [stale, loading, readAgain, uuid]);
  const reload = useCallback(() => setStale(true), []);

  const keep = useCallback(
    (next: Edits) => {
      latest.current = next;
      setEdits(next);
      store(id() ?? fresh, next);
    },
    [id, fresh],
  );

  const save = useCallback(async (): Promise<string | null> => {
    // One request at a time, so that an older text can't overwrite a newer one.
    while (running.current) await running.current;
    const sent = latest.current;
    const projectId = id();
    const work = async (): Promise<string | null> => {
      if (projectId && Object.keys(patchOf(sent)).length === 0) return projectId;
      setBusy(true);
      const created = newProjectOf(current.current);
      const result = projectId
        ? await client.mutation(UpdateProject, { id: projectId, input: patchOf(sent) }).toPromise()
        : await client.mutation(CreateProject, { input: created }, keys.of(created)).toPromise();
      setBusy(false);
      const data = result.data as Record<string, ProjectSettingsFragment | null> | undefined;
      const answer = data?.updateSendingProject ?? data?.createSendingProject;
      if (!answer) {
        if (result.error) setProblem(problemOf(result.error));
        return null;
      }
      setProblem(null);
      setSaved(answer);
      if (!projectId) {
        keys.renew();
        store(fresh, {});
        made.current = answer.uuid;
        setOwn(answer.uuid);
        onCreated(answer.uuid);
      }
      keep({ ...remaining(latest.current, sent), ...unsent(latest.current) });
      return answer.uuid;
    };
    running.current = work();
    try {
      return await running.current;
    } finally {
      running.current = null;
    }
  }, [client, fresh, id, keep, keys, onCreated]);

  /** Takes the texts of a template, or ends the connection with it. Returns what is against it. */
  const takeTexts = useCallback(
    async (
      input: Pick<SendingProjectPatch, "templateKey" | "locale" | "localeFrom">,
    ): Promise<CombinedError | null> => {
      // What is typed until now belongs to the text before.
      const projectId = await save();
      if (!projectId) return null; // the page says why
      const { data, error } = await client.mutation(UpdateProject, { id: projectId, input }).toPromise();
      if (!data?.updateSendingProject) return error ?? null;
      setSaved(data.updateSendingProject);
      keep(withoutTexts(latest.current));
      return null;
    },
    [client, keep, save],
  );

  const waiting = uuid !== null && Object.keys(patchOf(edits)).length > 0;
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [edits, waiting, save]);

  // Rows of a long list are added in the background.
  const pending = project?.recipientsPending ?? 0;
  useEffect(() => {
    if (pending === 0) return;
    const timer = setInterval(reload, PENDING_MS);
    return () => clearInterval(timer);
  }, [pending, reload]);

  const set = useCallback(
    (part: Edits | ((draft: Draft) => Edits)) => {
      setProblem(null);
      const edit = typeof part === "function" ? part({ ...current.current, ...latest.current }) : part;
      keep({ ...latest.current, ...edit });
    },
    [keep],
  );
  const saving: Saving = problem ? "refused" : busy ? "saving" : waiting ? "waiting" : "saved";
  return {
    draft,
    project,
    /** the attached files that the server knows */
    files: base?.attachments ?? [],
    /** whether the project exists on the server */
    exists: uuid !== null,
    /** whether it has something that the server should keep */
    worthADraft: uuid !== null || isWorthADraft(edits),
    /** whether this page has created it, so that it knows the project before it is read */
    own: uuid !== null && uuid === own,
    /** the template that the texts come from; null: they are the project's own */
    source: sourceOf(base, edits),
    set,
    save,
    takeTexts,
    saving,
    problem,
    reload,
    loading,
    missing: loaded.problem,
  };
}

export type DraftState = ReturnType<typeof useDraft>;

const drafts = kept<Edits>("draft");

function store(key: string, edits: Edits): void {
  if (Object.keys(edits).length > 0) drafts.set(key, edits);
  else drafts.delete(key);
}
