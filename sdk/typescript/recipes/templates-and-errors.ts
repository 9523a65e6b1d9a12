// Sends by a template with variables, and shows what an error says: `node templates-and-errors.js anna@example.com`.
import { BadRequest, Conflict, Postern, type SendMessage } from "postern-sdk";

const KEY = "order-shipped";
const postern = new Postern();

const template = await postern.templates
  .create({ body: { key: KEY, name: "Your order is on its way" } })
  .catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    console.error(error.explain()); // there is one with this key
    process.exit(1);
  });
const text = {
  locale: "en",
  subject: "Order {{ order }}",
  text: "Hello {{ name }}, order {{ order }} is on its way.",
};
const draft = await postern.templateVersions.save({
  path: { templateId: template.id },
  body: { texts: [text] },
});
await postern.templateVersions.publish({ path: { versionId: draft.id } });

const message: SendMessage = {
  channel: "email",
  to: process.argv[2],
  templateKey: KEY,
  variables: { name: "Anna" },
};
try {
  await postern.messages.send({ body: message });
} catch (error) {
  // programs compare the code, which is stable
  if (!(error instanceof BadRequest) || error.code !== "missing_variable") throw error;
  console.log(error.explain());
  console.log("missing", ...(error.details["missing"] as string[]));
}
message.variables = { name: "Anna", order: "4711" };
const sent = await postern.messages.send({ body: message });
console.log("sent", sent.id);
