import {
  cacheExchange,
  Client,
  fetchExchange,
  mapExchange,
  subscriptionExchange,
  type OperationContext,
  type OperationResult,
} from "urql";
import { answered, unanswered } from "./connection";
import { ACCEPT, CONSOLE_HEADERS, fetchOrEarly, requestHeaders } from "./early";
import {
  codesOf,
  isLoggedOut,
  isNetworkError,
  isOfOtherVersion,
  rememberRequestId,
  withoutModulesOff,
  withoutNestedRefusals,
} from "./errors";
import { askFor, type Proof } from "./freshCode";
import { createLive } from "./live";
import { checkVersion } from "./newVersion";
import { acting, endActing, refusesActing } from "./owner";

export interface Api {
  client: Client;
  end(): void;
}

/** Makes the client of one login. `onLoggedOut` is called when the server says that there is no login any more. */
export function createApi(onLoggedOut: () => void, checkLogin: () => void): Api {
  const live = createLive(checkLogin);
  const client: Client = new Client({
    url: "/graphql",
    fetch: fetchOrEarly,
    preferGetMethod: false,
    requestPolicy: "cache-and-network",
    fetchOptions: { credentials: "same-origin", headers: requestHeaders() },
    exchanges: [
      mapExchange({
        onResult(result) {
          rememberRequestId(result, result.error?.response as Response | undefined);
          if (isNetworkError(result.error)) unanswered();
          // What the cache has says nothing about the server, and may come while a page is being rendered.
          else if (result.operation.kind !== "subscription" && !isCached(result)) answered();
          if (isOfOtherVersion(result.error)) void checkVersion();
          if (isLoggedOut(result.error)) onLoggedOut();
          const proof = neededProof(result);
          if (proof) return repeated(client, result, proof);
          const shown = result.operation.kind === "mutation" ? result : withoutModulesOff(result);
          // The module was switched off since this page asked which are on.
          if (shown !== result) checkLogin();
          return acting() ? whileActing(shown, checkLogin) : shown;
        },
      }),
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (body) => ({
          subscribe: (sink) => ({
            unsubscribe: live.subscribe(
              // graphql-ws asks for a text; the server prefers documentId when the text is empty.
              { ...body, query: body.query ?? "", variables: body.variables },
              {
                next: (value) => sink.next(value),
                error: (error) => sink.error(error),
                complete: () => sink.complete(),
              },
            ),
          }),
        }),
      }),
    ],
  });
  return { client, end: () => live.end() };
}

/** Returns what a refused mutation needs to be repeated, or undefined. */
function neededProof({ operation, error }: OperationResult): Proof | undefined {
  if (operation.kind !== "mutation") return undefined;
  const codes = codesOf(error);
  if (codes.includes("second_factor_needed")) return "code";
  return codes.includes("password_needed") ? "password" : undefined;
}

/** Goes back to one's own data if the owner's are not open any more; asks what the member may if something was refused. */
function whileActing(result: OperationResult, checkLogin: () => void): OperationResult {
  const codes = codesOf(result.error);
  if (refusesActing(codes)) endActing();
  else if (codes.includes("forbidden")) checkLogin();
  return result.operation.kind === "query" ? withoutNestedRefusals(result) : result;
}

/** Repeats a mutation once its user has given a fresh code of the second factor, or with the password. */
async function repeated(client: Client, result: OperationResult, proof: Proof): Promise<OperationResult> {
  const entered = await askFor(proof);
  if (entered === null) return result;
  const { query, variables } = result.operation;
  const input = { ...(variables as { input?: object }).input, password: entered };
  const again = await client
    .mutation(query, proof === "code" ? variables : { ...variables, input })
    .toPromise();
  return { ...again, operation: result.operation };
}

function isCached(result: OperationResult): boolean {
  return result.operation.context.meta?.cacheOutcome === "hit";
}

/** Returns a random key. `crypto.randomUUID` is missing on pages without TLS, where the console works too. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Makes a repeated request safe: the server answers a second one with the same key as it answered the first. */
export function withIdempotencyKey(key: string): Partial<OperationContext> {
  return {
    fetchOptions: {
      credentials: "same-origin",
      headers: { ...requestHeaders(), "Idempotency-Key": key },
    },
  };
}

/** A request about the person who has logged in, also while this tab acts for an owner. */
export function asOneself(): Partial<OperationContext> {
  return {
    fetchOptions: { credentials: "same-origin", headers: { ...CONSOLE_HEADERS, Accept: ACCEPT } },
  };
}
