// Nothing here needs React or urql: the script that runs first is made of it.
import type { AnyVariables, TypedDocumentNode } from "urql";
import { ownerHeader } from "./owner";

/** The server takes the cookie only together with this header, which pages of other sites can't send. */
export const CONSOLE_HEADERS = { "X-Postern-Console": "1" } as const;
export const ACCEPT = "application/graphql-response+json, application/json";

/** The headers of a request to the API, which is for the owner for whom this tab acts. */
export function requestHeaders(): Record<string, string> {
  return { ...CONSOLE_HEADERS, Accept: ACCEPT, ...ownerHeader() };
}

/** An answer that was asked for before the client was there is given to its first such request, if that comes soon. */
const LASTS_MS = 30_000;
const asked = new Map<string, Promise<Response>>();

/** Asks for what a page is going to ask, while the page's code is still being loaded. Returns the data, or null. */
export function askEarly<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data | null> {
  const { documentId } = document as { documentId?: string };
  if (!documentId) return Promise.resolve(null); // during development documents are texts
  const answer = fetch("/graphql", {
    method: "POST",
    credentials: "same-origin",
    headers: { ...requestHeaders(), "Content-Type": "application/json" },
    body: JSON.stringify({ documentId, variables }),
  });
  const key = keyOf(documentId, variables ?? {});
  asked.set(key, answer);
  setTimeout(() => asked.delete(key), LASTS_MS);
  // A failure is none here: the page's own request says what is wrong.
  return answer
    .then(async (response) => ((await response.clone().json()) as { data?: Data }).data ?? null)
    .catch(() => null);
}

/** `fetch` for the client: the first request that was asked early gets that answer. */
export async function fetchOrEarly(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = takeAnswer(init?.body);
  return (answer && (await answer.catch(() => undefined))) ?? fetch(input, init);
}

/** Forgets what the login before has asked for. */
export function forgetEarly(): void {
  asked.clear();
}

function takeAnswer(body: BodyInit | null | undefined): Promise<Response> | undefined {
  if (asked.size === 0 || typeof body !== "string") return undefined;
  const { documentId, variables } = JSON.parse(body) as { documentId?: string; variables?: object };
  if (!documentId) return undefined;
  const key = keyOf(documentId, variables ?? {});
  const answer = asked.get(key);
  asked.delete(key);
  return answer;
}

function keyOf(documentId: string, variables: object): string {
  const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([documentId, sorted]);
}
