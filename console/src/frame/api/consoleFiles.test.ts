import { afterEach, beforeEach, expect, it, vi } from "vitest";

let connection: (typeof import("./connection"))["connection"];
let loadFile: (typeof import("./consoleFiles"))["loadFile"];
let NewVersion: (typeof import("./newVersion"))["NewVersion"];

const PAGE = '<script type="module" src="/console/assets/index-1.js"></script>';
const GONE = new TypeError("Failed to fetch dynamically imported module");

function serverAnswers(...answers: (string | null)[]): void {
  vi.stubGlobal("fetch", (url: string) => {
    if (url === "/health") return Promise.reject(new TypeError("offline"));
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer ? Promise.resolve(new Response(answer)) : Promise.reject(new TypeError("offline"));
  });
}

beforeEach(async () => {
  vi.resetModules(); // else a test would remember that another one saw a new version
  ({ connection } = await import("./connection"));
  ({ loadFile } = await import("./consoleFiles"));
  ({ NewVersion } = await import("./newVersion"));
  vi.useFakeTimers();
  vi.stubGlobal("document", {
    querySelectorAll: () => [{ getAttribute: () => "/console/assets/index-1.js" }],
  });
  vi.stubGlobal("window", { addEventListener: vi.fn(), removeEventListener: vi.fn() });
  connection.set({ ...connection.get(), reachable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("imports again until the server is back", async () => {
  serverAnswers(null, null, PAGE);
  const load = vi.fn().mockRejectedValueOnce(GONE).mockRejectedValueOnce(GONE).mockResolvedValue("page");
  const loaded = loadFile(load);
  await vi.advanceTimersByTimeAsync(400);
  expect(connection.get().reachable).toBe(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await loaded).toBe("page");
  expect(load).toHaveBeenCalledTimes(3);
});

it("says that a new version was installed", async () => {
  serverAnswers(PAGE.replace("index-1", "index-2"));
  await expect(loadFile(() => Promise.reject(GONE))).rejects.toThrow(NewVersion);
});

it("gives up a file that the server's version does not have", async () => {
  serverAnswers(PAGE);
  const load = vi.fn().mockRejectedValue(GONE);
  const failed = expect(loadFile(load)).rejects.toBe(GONE);
  await vi.advanceTimersByTimeAsync(20_000);
  await failed;
  expect(load).toHaveBeenCalledTimes(3);
});
