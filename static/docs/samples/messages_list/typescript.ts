import { iterate, Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const failed = { status: "failed", limit: 100 } as const;
for await (const message of iterate((page) => postern.messages.list({ query: { ...page, ...failed } }))) {
  console.log(message.to, message.failureCode);
}
