import { useLoaded } from "../../frame/api/useLoaded";
import { usePagedQuery } from "../../frame/list/PagedList";
import type { ContactFieldsQuery, ContactPageQuery } from "../../gql/graphql";
import { ContactFields, ContactPage } from "./documents";
import { searchParams, whereOf, type Search } from "./search";
import { valueOf } from "./values";

const PAGE = 50;
const POLL_MS = 30_000;

export type ContactRow = NonNullable<ContactPageQuery["contacts"]>["nodes"][number];
export type ContactField = NonNullable<ContactFieldsQuery["contactFields"]>["nodes"][number];

/** The fields that contacts may have. */
export function useFields() {
  const { data, reload } = useLoaded(ContactFields, {});
  return { fields: data?.contactFields?.nodes ?? [], reload };
}

/** The contacts of a search, page by page. */
export function useContacts(search: Search, fields: readonly ContactField[]) {
  const type = fields.find(({ key }) => key === search.field)?.type ?? "text";
  return usePagedQuery(
    `contacts?${searchParams(search).toString()}&${type}`,
    ContactPage,
    (after) => ({
      first: PAGE,
      after,
      where: whereOf(search, (text) => valueOf(type === "list" ? "text" : type, text)),
    }),
    (data) => data.contacts,
    { pollMs: POLL_MS, pollWith: "update" },
  );
}
