/** Connects the generated operations: credentials, idempotency keys, retries, errors. */
import { ConnectionFailed, errorOf, PosternError } from "./errors.js";
import { createClient, type Client } from "./generated/client/index.js";
import { KEYED } from "./generated/keyed.js";
import { Operations } from "./generated/sdk.gen.js";
import { isRepeatable, isSentAgain, KEY, RETRIES, retryAfter, wait, type Retries } from "./retries.js";

export interface PosternOptions {
  /** The address of Postern. Default: POSTERN_URL of the environment; in a browser, the page's own origin. */
  url?: string;
  /** An API token, or the access token of a login. Default: POSTERN_TOKEN of the environment. */
  token?: string;
  /** The uuid of the owner for whom a member acts. */
  owner?: string;
  retries?: Partial<Retries>;
  /** Seconds for each try, until the answer begins. Default: 30. */
  timeout?: number;
  /** Another `fetch`, for example one with a proxy. */
  fetch?: typeof globalThis.fetch;
}

/** Calls Postern: `await new Postern().messages.send({ body: { … } })`. All operations throw `PosternError`. */
export class Postern extends Operations {
  constructor(options: PosternOptions = {}) {
    super({ client: connect(options) });
  }
}

function connect(options: PosternOptions): Client {
  const url = options.url ?? fromEnvironment("POSTERN_URL") ?? globalThis.location?.origin;
  const token = options.token ?? fromEnvironment("POSTERN_TOKEN");
  if (!url) {
    throw new PosternError(
      "Say where Postern is: new Postern({ url: … }), or POSTERN_URL in the environment.",
    );
  }
  const client = createClient({
    baseUrl: url.replace(/\/+$/, ""),
    ...(token && { auth: token }),
    headers: options.owner ? { "X-Postern-Owner": options.owner } : {},
    fetch: retrying(options),
    throwOnError: true,
    responseStyle: "data",
  });
  client.interceptors.request.use((request, { url }) => {
    if (KEYED.has(`${request.method} ${url}`) && !request.headers.has(KEY))
      request.headers.set(KEY, newKey());
    return request;
  });
  client.interceptors.error.use((error, response) =>
    response && !response.ok && !(error instanceof PosternError) ? errorOf(response, error) : error,
  );
  return client;
}

/** Returns a `fetch` that sends a request until it has an answer that stays. */
function retrying(options: PosternOptions): typeof globalThis.fetch {
  const retries = { ...RETRIES, ...options.retries };
  const once = options.fetch ?? globalThis.fetch;
  return async (input, init) => {
    const request = new Request(input, init); // all tries have its idempotency key
    for (let tries = 1; ; tries += 1) {
      let pause: number | undefined;
      try {
        const response = await answered(once, request.clone(), options.timeout ?? 30);
        if (!(await isSentAgain(request, response))) return response;
        pause = wait(retries, tries, retryAfter(response.headers));
        if (pause === undefined) return response;
        await response.body?.cancel();
      } catch (error) {
        if (request.signal.aborted) throw error; // by the caller
        const maybeDone = !NOT_SENT.has(codeOf(error));
        pause = !maybeDone || isRepeatable(request) ? wait(retries, tries, undefined) : undefined;
        if (pause === undefined) {
          throw new ConnectionFailed(`Postern does not answer: ${reason(error)}`, maybeDone, {
            cause: error,
          });
        }
      }
      await sleep(pause * 1000, request.signal);
    }
  };
}

/** Sends a request once. JSON is read to its end, so that a connection that is lost meanwhile counts as no answer. */
async function answered(once: typeof globalThis.fetch, request: Request, seconds: number): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort(request.signal.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no answer in ${seconds} s`)), seconds * 1000);
  request.signal.addEventListener("abort", abort);
  try {
    const response = await once(new Request(request, { signal: controller.signal }));
    if (!response.headers.get("content-type")?.includes("json") || response.status === 204) return response;
    const { status, statusText, headers } = response;
    return new Response(await response.arrayBuffer(), { status, statusText, headers });
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", abort);
  }
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Codes of Node's `fetch` for a connection that was never made; browsers don't say. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

function codeOf(error: unknown): string {
  return String((error as { cause?: { code?: unknown } } | null)?.cause?.code ?? "");
}

function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

/** Returns a new idempotency key. Pages without https, and Node 18, have no `randomUUID`; a key is no secret. */
function newKey(): string {
  const uuid = globalThis.crypto?.randomUUID?.();
  return uuid ?? Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 12)).join("-");
}

function fromEnvironment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}
