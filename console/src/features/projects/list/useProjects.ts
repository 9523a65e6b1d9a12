import { useCallback } from "react";
import { useSubscription } from "urql";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useThrottled } from "../../../frame/ui/useInterval";
import { ProjectPageQuery, ProjectsMoved } from "../documents";
import { orderOf, searchParams, whereOf, type Search } from "./search";

const PAGE = 100;
const POLL_MS = 30_000;
const AFTER_NEW_MS = 2_000;

/** The projects of a search, page by page and live. */
export function useProjects(search: Search) {
  const { list, state } = usePagedQuery(
    `projects?${searchParams(search).toString()}`,
    ProjectPageQuery,
    (after) => ({ first: PAGE, after, where: whereOf(search), orderBy: orderOf(search) }),
    (data) => data.sendingProjects,
    { pollMs: POLL_MS, pollWith: "sync" },
  );
  const syncSoon = useThrottled(
    useCallback(() => void list.sync(), [list]),
    AFTER_NEW_MS,
  );
  const filtered = search.status.length > 0;
  useSubscription({ query: ProjectsMoved }, (_before, event) => {
    const project = event.sendingProjectProgress;
    const fits = !filtered || search.status.includes(project.status);
    const shown = project.status === "deleted" ? list.remove(project.uuid) : list.replace(project);
    // A project that is new, or no longer fits the filter, is for the server to sort in.
    if (shown ? !fits : fits) syncSoon();
    return event;
  });
  return { list, state };
}
