// Calls of Resend's client for Node. The address and the key come from the environment, as its users set them.
import { createServer } from "node:http";
import { Resend } from "resend";
import { Webhook } from "svix";

const resend = new Resend();
const FROM = "Ada <news@ada.example>";
const EMAIL = { from: FROM, to: "anna@example.com", subject: "Hello", text: "Hi" };
const later = (hours) => new Date(Date.now() + hours * 3600e3).toISOString();

async function say(call, work) {
  let outcome;
  try {
    outcome = { ok: true, says: String((await work()) ?? "") };
  } catch (error) {
    outcome = { ok: false, says: String(error.message ?? error) };
  }
  console.log(JSON.stringify({ call, ...outcome }));
}

function must(condition, what) {
  if (!condition) throw new Error(what);
}

function data(answer) {
  must(answer.error === null, `refused: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

function refused(answer, status, name) {
  must(answer.error !== null, "it was not refused");
  must(answer.error.statusCode === status && answer.error.name === name, JSON.stringify(answer.error));
  return `${status} ${name}: ${answer.error.message}`;
}

let id;
await say("emails.send", async () => {
  id = data(await resend.emails.send({ ...EMAIL, html: "<p>Hi</p>", replyTo: FROM, tags: [{ name: "a", value: "b" }] })).id;
  return id;
});
await say("emails.send with attachments", async () =>
  data(await resend.emails.send({ ...EMAIL, attachments: [{ filename: "a.txt", content: Buffer.from("hello") }] })).id);
await say("emails.send with headers", async () =>
  data(await resend.emails.send({ ...EMAIL, headers: { "X-Entity-Ref-ID": "1" } })).id);
await say("emails.send to several and bcc", async () =>
  data(await resend.emails.send({ ...EMAIL, to: ["a@example.com", "b@example.com"], bcc: "c@example.com" })).id);
await say("emails.send twice with one idempotency key", async () => {
  const options = { idempotencyKey: "node/one" };
  const first = data(await resend.emails.send(EMAIL, options)).id;
  must(data(await resend.emails.send(EMAIL, options)).id === first, "it was sent twice");
  return refused(await resend.emails.send({ ...EMAIL, subject: "Bye" }, options), 409, "invalid_idempotent_request");
});
await say("emails.get", async () => {
  const email = data(await resend.emails.get(id));
  must(email.object === "email" && email.to[0] === "anna@example.com" && email.tags[0].name === "a", JSON.stringify(email));
  return email.last_event;
});
await say("emails.list", async () => {
  const page = data(await resend.emails.list({ limit: 2 }));
  const next = data(await resend.emails.list({ limit: 2, after: page.data[1].id }));
  must(page.data.length === 2 && page.has_more && next.data[0].id < page.data[1].id, JSON.stringify(page));
  return `${page.data.length}, has_more ${page.has_more}`;
});
await say("emails.send scheduled, update, cancel", async () => {
  const { id } = data(await resend.emails.send({ ...EMAIL, scheduledAt: later(1) }));
  data(await resend.emails.update({ id, scheduledAt: later(24) }));
  must(data(await resend.emails.get(id)).scheduled_at > later(23), "it was not moved");
  data(await resend.emails.cancel(id));
  return data(await resend.emails.get(id)).last_event;
});
await say("batch.send", async () => `${data(await resend.batch.send([EMAIL, { ...EMAIL, to: "b@example.com" }])).data.length} ids`);
await say("batch.send strict with an invalid one", async () =>
  refused(await resend.batch.send([EMAIL, { ...EMAIL, to: "nobody" }]), 422, "validation_error"));
await say("batch.send permissive with an invalid one", async () => {
  const sent = data(await resend.batch.send([EMAIL, { ...EMAIL, to: "nobody" }], { batchValidation: "permissive" }));
  must(sent.data.length === 1 && sent.errors[0].index === 1, JSON.stringify(sent));
  return sent.errors[0].message;
});
await say("contacts.list and contacts.get", async () => {
  const contacts = data(await resend.contacts.list());
  const one = data(await resend.contacts.get({ email: contacts.data[0].email }));
  must(one.id === contacts.data[0].id, JSON.stringify(one));
  return one.email;
});
await say("webhooks, verified by svix and by resend", async () => {
  const calls = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      calls.push({ headers: request.headers, body });
      response.end("ok");
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const endpoint = `http://127.0.0.1:${server.address().port}/hook`;
    const hook = data(await resend.webhooks.create({ endpoint, events: ["email.sent", "email.delivered", "email.bounced"] }));
    must(data(await resend.webhooks.get(hook.id)).endpoint === endpoint, "it is not there");
    must(data(await resend.webhooks.list()).data.length === 1, "it is not listed");
    const { id } = data(await resend.emails.send(EMAIL));
    const ends = Date.now() + 30e3;
    let event;
    while (!event && Date.now() < ends) {
      await new Promise((next) => setTimeout(next, 50));
      for (const { headers, body } of calls.splice(0)) {
        const seen = new Webhook(hook.signing_secret).verify(body, headers);
        const [svixId, timestamp, signature] = ["svix-id", "svix-timestamp", "svix-signature"].map((name) => headers[name]);
        resend.webhooks.verify({ payload: body, headers: { id: svixId, timestamp, signature }, webhookSecret: hook.signing_secret });
        if (seen.data.email_id === id) event = seen;
      }
    }
    must(event, "no event came");
    data(await resend.webhooks.update(hook.id, { status: "disabled" }));
    must(data(await resend.webhooks.rotateSigningSecret(hook.id)).signing_secret !== hook.signing_secret, "not rotated");
    data(await resend.webhooks.remove(hook.id));
    return `${event.type} from ${event.data.from}`;
  } finally {
    server.close();
  }
});
await say("refused: no recipient", async () => refused(await resend.emails.send({ ...EMAIL, to: undefined }), 422, "missing_required_field"));
await say("refused: a domain of others", async () => refused(await resend.emails.send({ ...EMAIL, from: "a@other.example" }), 403, "validation_error"));
await say("refused: cc", async () => refused(await resend.emails.send({ ...EMAIL, cc: "b@example.com" }), 422, "validation_error"));
await say("refused: an address of an attachment", async () =>
  refused(await resend.emails.send({ ...EMAIL, attachments: [{ path: "https://example.com/a" }] }), 422, "invalid_attachment"));
await say("refused: a template", async () => refused(await resend.emails.send({ ...EMAIL, template: { id: "a" } }), 422, "validation_error"));
await say("refused: an unknown id", async () => refused(await resend.emails.get("0199a0c0-0000-7000-8000-000000000000"), 404, "not_found"));
await say("refused: contacts.create", async () => refused(await resend.contacts.create({ email: "a@example.com" }), 405, "method_not_allowed"));
await say("refused: domains.list", async () => refused(await resend.domains.list(), 404, "not_found"));
await say("refused: broadcasts.list", async () => refused(await resend.broadcasts.list(), 404, "not_found"));
await say("refused: a wrong key", async () => refused(await new Resend("re_123").emails.send(EMAIL), 403, "invalid_api_key"));
