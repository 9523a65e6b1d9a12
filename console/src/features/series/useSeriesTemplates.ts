import { useEffect } from "react";
import { usePagedQuery } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import { SeriesTemplates } from "./documents";

/** The published templates that are not archived: all of them, of at most a thousand. */
export function useSeriesTemplates() {
  const { ownerUuid } = useViewer();
  const { list, state } = usePagedQuery(
    `series-templates?${ownerUuid}`,
    SeriesTemplates,
    (after) => ({ after, where: { archived: { eq: false }, ownerId: { eq: ownerUuid } } }),
    (data) => data.templates,
  );
  const { rows, complete, loading, problem } = state;
  const reads = !complete && !loading && !problem && rows.length > 0;
  useEffect(() => {
    if (reads) void list.more();
  }, [reads, rows.length, list]);
  return { templates: rows.filter(({ version }) => version != null), loaded: complete };
}
