import { usePagedQuery } from "../../frame/list/PagedList";
import { useViewer } from "../../frame/session";
import type { FilePageQuery } from "../../gql/graphql";
import { FilePage } from "./documents";
import { orderOf, searchParams, whereOf, type Search } from "./search";

const PAGE = 50;
// The links that download the files end after a while, so the list is read again long before.
const POLL_MS = 30_000;

export type FileRow = NonNullable<FilePageQuery["files"]>["nodes"][number];

/** The files of a search, page by page. */
export function useFiles(search: Search) {
  const { isAdmin: admin, may } = useViewer();
  return usePagedQuery(
    `files?${searchParams(search).toString()}`,
    FilePage,
    (after) => ({
      first: PAGE,
      after,
      where: whereOf(search),
      orderBy: orderOf(search),
      admin,
      imports: may("recipients:read"),
      exports: may("exports:read") && may("projects:read"),
    }),
    (data) => data.files,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
