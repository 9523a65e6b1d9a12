/** Goes through all pages of a list: those with a number, and those with a cursor. */

export interface NumberedPage<T> {
  items: T[];
  meta: { page: number; totalPages: number };
}

export interface CursorPage<T> {
  items: T[];
  next: string | null;
}

/**
 * Yields all rows of a list, page after page:
 *
 *     for await (const message of iterate((page) => postern.messages.list({ query: { ...page, status: "failed" } })))
 *
 * Rows that come meanwhile move numbered pages: a row may then come twice.
 */
export async function* iterate<T>(
  list: (page: { page?: number; after?: string }) => Promise<NumberedPage<T> | CursorPage<T>>,
): AsyncGenerator<T, void, undefined> {
  let following: { page?: number; after?: string } | undefined = {};
  while (following !== undefined) {
    const page: NumberedPage<T> | CursorPage<T> = await list(following);
    yield* page.items;
    if ("next" in page) following = page.next ? { after: page.next } : undefined;
    else following = page.meta.page < page.meta.totalPages ? { page: page.meta.page + 1 } : undefined;
  }
}
