import {
  createClient,
  type Client,
  type ExecutionResult,
  type Sink,
  type SubscribePayload,
} from "graphql-ws";
import { waitOrOnline } from "./waitOrOnline";
import { answered, setLive } from "./connection";
import { acting, ownerHeader } from "./owner";

const FORBIDDEN = 4403; // the login has ended, or its access token has
const PONG_MS = 8_000; // after which a connection without an answer counts as lost
const LONGEST_WAIT_MS = 15_000;
const REFUSED_WAIT_MS = 30_000; // after a close that graphql-ws does not retry: too many connections

export interface LiveClient {
  subscribe(payload: SubscribePayload, sink: Sink<ExecutionResult>): () => void;
  end(): void;
}

/** One WebSocket for all subscriptions of the page. It opens with the first one and connects again by itself. */
export function createLive(onForbidden: () => void): LiveClient {
  let ended = false;
  let wasLive = false;
  let pong: ReturnType<typeof setTimeout> | undefined;
  const socketUrl = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/graphql`;
  const client: Client = createClient({
    url: socketUrl,
    connectionParams: () => (acting() ? ownerHeader() : undefined),
    lazy: true,
    lazyCloseTimeout: 5_000,
    keepAlive: 12_000,
    retryAttempts: Infinity,
    shouldRetry: () => !ended,
    retryWait: (attempt) => waitOrOnline(Math.min(LONGEST_WAIT_MS, 500 * 2 ** attempt)),
    on: {
      connecting: () => setLive(wasLive ? "lost" : "connecting"),
      connected: () => {
        wasLive = true;
        setLive("live");
      },
      message: () => answered(),
      ping: (received) => {
        if (!received) pong = setTimeout(() => client.terminate(), PONG_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(pong);
      },
      closed: (event) => {
        clearTimeout(pong);
        const { code, wasClean } = event as CloseEvent;
        const byUs = wasClean && code === 1000;
        if (byUs || ended) wasLive = false;
        setLive(byUs || ended ? "idle" : "lost");
        if (code === FORBIDDEN && !ended) onForbidden();
      },
    },
  });

  function subscribe(payload: SubscribePayload, sink: Sink<ExecutionResult>): () => void {
    let stopped = false;
    let stop = () => {};
    const begin = () => {
      if (stopped || ended) return;
      stop = client.subscribe(payload, {
        next: (value) => sink.next(value as ExecutionResult),
        complete: () => sink.complete(),
        error: (error) => {
          // A list of GraphQL errors is the subscription's own; anything else is the connection's.
          if (Array.isArray(error) || ended) sink.error(error);
          else setTimeout(begin, REFUSED_WAIT_MS);
        },
      });
    };
    begin();
    return () => {
      stopped = true;
      stop();
    };
  }

  return {
    subscribe,
    end: () => {
      ended = true;
      // It waits for a connection that is being made, which the server refuses once the login has ended.
      Promise.resolve(client.dispose()).catch(() => {});
      setLive("idle");
    },
  };
}
