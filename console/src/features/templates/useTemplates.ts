import { useEffect } from "react";
import { usePagedQuery } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import type { TemplatePageQuery } from "../../gql/graphql";
import { TemplatePage } from "./documents";
import { whereOf, type Search } from "./search";

const PAGE = 100;
const MOST_SEARCHED = 2_000;

export type TemplateRow = NonNullable<TemplatePageQuery["templates"]>["nodes"][number];

/** The templates of a search. While a text is searched, all pages are read, because the browser searches them. */
export function useTemplates(search: Search) {
  const { isAdmin: admin, may } = useViewer();
  const paged = usePagedQuery(
    `templates?${search.archived}`,
    TemplatePage,
    (after) => ({ first: PAGE, after, where: whereOf(search), admin: admin && may("users:read") }),
    (data) => data.templates,
    { pollWith: "update" },
  );
  const { list, state } = paged;
  const { complete, loading, problem, rows } = state;
  const reads =
    search.text.trim() !== "" &&
    !complete &&
    !loading &&
    !problem &&
    rows.length > 0 &&
    rows.length < MOST_SEARCHED;
  useEffect(() => {
    if (reads) void list.more();
  }, [reads, rows.length, list]);
  return paged;
}
