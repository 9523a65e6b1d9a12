// What is written by hand in the TypeScript SDK: retries, keys, errors, pages, webhooks. test_core.py starts it, with a
// request that the library of Standard Webhooks has signed.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ApiError,
  ConnectionFailed,
  iterate,
  PaymentRequired,
  Postern,
  RateLimited,
  Unavailable,
} from "postern-sdk";
import { eventsOf, verifyWebhook, WebhookRefused } from "postern-sdk/webhooks";

type Answer = Response | Error;

/** A Postern whose requests are answered from a list; the last one for ever. */
function connected(answers: (() => Answer)[], most = 3) {
  const requests: Request[] = [];
  const fetch = async (request: unknown) => {
    requests.push(request as Request);
    const answer = answers[Math.min(requests.length, answers.length) - 1]!();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const options = {
    url: "http://postern.example/",
    token: "pst_x",
    owner: "o",
    fetch: fetch as typeof globalThis.fetch,
  };
  return {
    postern: new Postern({ ...options, retries: { most, firstWait: 0.001, longestWait: 60 } }),
    requests,
  };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
const problem = (status: number, code = "x", headers = {}) => json(status, { code, message: "No." }, headers);
const failed = (code?: string) => () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("lost"), { code }) });
const ok = json(200, { status: "ok" });
const KEY = "idempotency-key";

// What comes first; whether a read, a POST with a key and one without are sent again.
const AGAIN: [string, () => Answer, boolean, boolean, boolean][] = [
  ["429", problem(429), true, true, true],
  ["503", problem(503), true, true, false],
  ["504", problem(504), true, true, false],
  ["500", problem(500), false, false, false],
  ["400", problem(400), false, false, false],
  ["409 in flight", problem(409, "idempotency_in_flight"), false, true, false],
  ["409", problem(409, "conflict"), false, false, false],
  ["lost", failed("ECONNRESET"), true, true, false],
  ["refused", failed("ECONNREFUSED"), true, true, true],
];
const calls = [
  (postern: Postern) => postern.messages.get({ path: { id: "a/b" } }),
  (postern: Postern) => postern.messages.send({ body: { channel: "sms", to: "+1", body: "x" } }),
  (postern: Postern) => postern.auth.login({ body: { email: "a@example.com", password: "x" } }),
];
for (const [name, first, ...again] of AGAIN) {
  for (const [index, call] of calls.entries()) {
    await test(`${name}, call ${index}`, async () => {
      const { postern, requests } = connected([first, ok]);
      if (again[index]) assert.deepEqual(await call(postern), { status: "ok" });
      else
        await assert.rejects(
          call(postern),
          (error) => error instanceof ApiError || error instanceof ConnectionFailed,
        );
      assert.equal(requests.length, again[index] ? 2 : 1);
      const keys = new Set(requests.map((request) => request.headers.get(KEY)));
      assert.equal(keys.size, 1);
      assert.equal(keys.has(null), index !== 1);
    });
  }
}

await test("a request", async () => {
  const { postern, requests } = connected([ok]);
  await postern.messages.get({ path: { id: "a/b" } });
  assert.equal(requests[0]!.url, "http://postern.example/messages/a%2Fb");
  assert.equal(requests[0]!.headers.get("authorization"), "Bearer pst_x");
  assert.equal(requests[0]!.headers.get("x-postern-owner"), "o");
  await postern.messages.send({ body: { to: "+1" }, headers: { "Idempotency-Key": "own" } });
  assert.equal(requests[1]!.headers.get(KEY), "own");
  assert.deepEqual(await requests[1]!.json(), { to: "+1" });
});

await test("the last try", async () => {
  const { postern, requests } = connected([problem(503)], 2);
  await assert.rejects(calls[0]!(postern), Unavailable);
  assert.equal(requests.length, 3);
  const maybeDone = async (answer: () => Answer) =>
    calls[2]!(connected([answer], 0).postern).catch(
      (error: unknown) => (error as ConnectionFailed).maybeDone,
    );
  assert.equal(await maybeDone(failed("ECONNRESET")), true);
  assert.equal(await maybeDone(failed("ECONNREFUSED")), false);
});

await test("the wait", async () => {
  const begun = Date.now();
  await calls[0]!(connected([problem(429, "x", { "retry-after": "1" }), ok]).postern);
  assert.ok(Date.now() - begun >= 990);
  const { postern, requests } = connected([problem(429, "x", { "retry-after": "40000" }), ok]);
  await assert.rejects(
    calls[0]!(postern),
    (error) => error instanceof RateLimited && error.retryAfter === 40_000,
  );
  assert.equal(requests.length, 1);
});

await test("the caller ends it", async () => {
  const controller = new AbortController();
  const { postern } = connected([problem(429, "x", { "retry-after": "30" }), ok]);
  const call = postern.messages.get({ path: { id: "x" }, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await assert.rejects(call, /enough/);
});

await test("a file", async () => {
  const { postern, requests } = connected([failed("ECONNRESET"), ok]);
  await postern.files.upload({ body: { file: new File(["a,b"], "x.csv") } });
  for (const request of requests) {
    assert.equal(await ((await request.formData()).get("file") as File).text(), "a,b");
  }
  assert.equal(requests.length, 2);
});

await test("errors", async () => {
  const body = { code: "insufficient_balance", message: "The balance is too low.", details: null };
  const error: unknown = await calls[0]!(
    connected([json(402, body, { "x-request-id": "r-1" })]).postern,
  ).catch((error: unknown) => error);
  assert.ok(error instanceof PaymentRequired && error.advice);
  const text = `insufficient_balance: The balance is too low. What to do: ${error.advice}. (request r-1)`;
  assert.equal(error.explain(), text);
  assert.deepEqual(error.details, {});
  for (const text of ["<html>Bad gateway</html>", "", "[1]", "null", '{"code": "constructor"}']) {
    const proxy: unknown = await calls[0]!(
      connected([() => new Response(text, { status: 502 })], 0).postern,
    ).catch((error: unknown) => error);
    assert.ok(proxy instanceof Unavailable && proxy.status === 502 && proxy.advice === undefined, text);
  }
});

await test("pages", async () => {
  const seen: unknown[] = [];
  const items = (values: number[]) => values.map((value) => ({ value }));
  const numbered = connected([
    json(200, { items: items([1, 2]), meta: { page: 1, limit: 2, total: 3, totalPages: 2 } }),
    json(200, { items: items([3]), meta: { page: 2, limit: 2, total: 3, totalPages: 2 } }),
  ]);
  for await (const item of iterate((page) =>
    numbered.postern.messages.list({ query: { ...page, limit: 2 } }),
  )) {
    seen.push((item as unknown as { value: number }).value);
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.deepEqual(
    numbered.requests.map(({ url }) => new URL(url).search),
    ["?limit=2", "?page=2&limit=2"],
  );
  const cursors = connected([json(200, { items: [], next: "c1" }), json(200, { items: [], next: null })]);
  for await (const topic of iterate((page) => cursors.postern.topics.page({ query: page })))
    assert.fail(topic.name);
  assert.equal(new URL(cursors.requests[1]!.url).search, "?after=c1");
});

await test("a webhook", async () => {
  const { body, now, secret, headers } = JSON.parse(process.argv[2]!) as {
    body: string;
    now: number;
    secret: string;
    headers: Record<string, string>;
  };
  const verified = await verifyWebhook(body, headers, secret, { now });
  assert.deepEqual(eventsOf(verified), [JSON.parse(body)]);
  assert.deepEqual(eventsOf({ events: [1, 2] }), [1, 2]);
  await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now: now + 299 });
  const signature = headers["WEBHOOK-SIGNATURE"]!;
  await verifyWebhook(body, { ...headers, "WEBHOOK-SIGNATURE": `v1a,x v1,AAAA ${signature}` }, secret, {
    now,
  });
  const other = `whsec_${Buffer.from("o".repeat(32)).toString("base64")}`;
  const wrong: [string, Record<string, string>, string, number][] = [
    [`${body} `, headers, secret, now],
    [body, headers, secret, now + 301],
    [body, headers, secret, now - 301],
    [body, { ...headers, "webhook-timestamp": String(now + 1) }, secret, now],
    [body, { ...headers, "Webhook-Id": "msg_2" }, secret, now],
    [body, { ...headers, "WEBHOOK-SIGNATURE": "v1, v1,!! v1,AAAA" }, secret, now],
    [body, { ...headers, "webhook-timestamp": "1e9" }, secret, now],
    [body, {}, secret, now],
    [body, headers, "whsec_", now],
    [body, headers, other, now],
  ];
  for (const [text, sent, key, at] of wrong) {
    await assert.rejects(verifyWebhook(text, sent, key, { now: at }), WebhookRefused);
  }
});
