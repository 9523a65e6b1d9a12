import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { CreateProject, DraftProject, UpdateProject } from "./documents";
import { draftOf, EMPTY, newProjectOf, patchOf, remaining, unsent, type Draft, type Edits } from "./draft";

const SAVE_AFTER_MS = 900;
const PENDING_MS = 1_500;

export type Saving = "saved" | "waiting" | "saving" | "refused";

/**
 * A project that is being made. It is a draft on the server; what the server does not have yet, or does not take, is
 * kept in the browser's session, so that nothing is lost by a reload.
 */
export function useDraft(uuid: string | null, suggested: Edits, onCreated: (uuid: string) => void) {
  const client = useClient();
  const [edits, setEdits] = useState<Edits>(() => read(`postern-draft:${uuid ?? "new"}`));
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
  const [first, setFirst] = useState(() => ({ ...EMPTY, ...suggested }));
  const draft: Draft = { ...(project ? draftOf(project) : first), ...edits };
  const current = useRef(draft);
  const again = useRef(loaded.reload);
  useEffect(() => {
    current.current = draft;
    again.current = loaded.reload;
  });
  const reload = useCallback(() => again.current(), []);

  const keep = useCallback(
    (next: Edits) => {
      latest.current = next;
      setEdits(next);
      write(`postern-draft:${id() ?? "new"}`, next);
    },
    [id],
  );

  const save = useCallback(async (): Promise<string | null> => {
    // One request at a time, so that an older text can't overwrite a newer one.
    while (running.current) await running.current;
    const sent = latest.current;
    const known = id();
    const work = async (): Promise<string | null> => {
      if (known && Object.keys(patchOf(sent)).length === 0) return known;
      setBusy(true);
      const result = known
        ? await client.mutation(UpdateProject, { id: known, input: patchOf(sent) }).toPromise()
        : await client.mutation(CreateProject, { input: newProjectOf(current.current) }).toPromise();
      setBusy(false);
      const data = result.data as Record<string, { uuid: string } | null> | undefined;
      const saved = data?.updateSendingProject ?? data?.createSendingProject;
      if (!saved) {
        if (result.error) setProblem(problemOf(result.error));
        return null;
      }
      setProblem(null);
      if (!known) {
        setFirst(current.current);
        write("postern-draft:new", {});
        made.current = saved.uuid;
        setOwn(saved.uuid);
        onCreated(saved.uuid);
      }
      keep({ ...remaining(latest.current, sent), ...unsent(latest.current) });
      return saved.uuid;
    };
    running.current = work();
    try {
      return await running.current;
    } finally {
      running.current = null;
    }
  }, [client, id, keep, onCreated]);

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
    (part: Edits) => {
      setProblem(null);
      keep({ ...latest.current, ...part });
    },
    [keep],
  );
  const saving: Saving = problem ? "refused" : busy ? "saving" : waiting ? "waiting" : "saved";
  return {
    draft,
    project,
    /** whether the project exists on the server */
    exists: uuid !== null,
    /** whether this page has created it, so that it knows the project before it is read */
    own: uuid !== null && uuid === own,
    set,
    save,
    saving,
    problem,
    reload,
    loading: loaded.loading,
    missing: loaded.problem,
  };
}

export type DraftState = ReturnType<typeof useDraft>;

function read(key: string): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}") as Edits;
  } catch {
    return {};
  }
}

function write(key: string, edits: Edits): void {
  try {
    if (Object.keys(edits).length > 0) sessionStorage.setItem(key, JSON.stringify(edits));
    else sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked or full: the edits stay until the page is closed.
  }
}
