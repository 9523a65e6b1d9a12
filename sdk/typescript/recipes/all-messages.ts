// Reads all messages, page after page: `node all-messages.js`.
import { iterate, Postern } from "postern-sdk";

const postern = new Postern();
const statuses: Record<string, number> = {};

// `limit` is 100 at most; 3 to show that there are pages.
for await (const message of iterate((page) => postern.messages.list({ query: { ...page, limit: 3 } }))) {
  statuses[message.status] = (statuses[message.status] ?? 0) + 1;
  console.log(message.id);
}
console.log(JSON.stringify(statuses));
