import { afterEach, expect, test, vi } from "vitest";
import { createLive } from "./live";

const FORBIDDEN = 4403;

afterEach(() => vi.unstubAllGlobals());

/** A connection that the server refuses, as it does after a logout. */
class RefusedSocket {
  static readonly OPEN = 1;
  readyState = 0;
  onclose: ((event: object) => void) | null = null;

  constructor() {
    setTimeout(() => this.onclose?.({ code: FORBIDDEN, reason: "unauthenticated", wasClean: true }), 5);
  }

  close() {}
}

test("a connection that is refused while it ends is no error", async () => {
  vi.stubGlobal("WebSocket", RefusedSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "localhost" });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const onForbidden = vi.fn();
  const live = createLive(onForbidden);
  live.subscribe({ query: "subscription { a }" }, { next() {}, error() {}, complete() {} });
  live.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  expect(onForbidden).not.toHaveBeenCalled();
});
