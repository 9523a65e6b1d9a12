// Sends more messages than the limit allows at once: `node rate-limits.js +14155550100 +14155550101 …`.
//
// The client waits as long as `Retry-After` says, and sends the request again. Only what takes longer than
// `longestWait` is an error.
import { Postern, RateLimited } from "postern-sdk";

const postern = new Postern({ retries: { most: 10, longestWait: 120 } });

for (const to of process.argv.slice(2)) {
  try {
    const message = await postern.messages.send({
      body: { channel: "sms", to, body: "Your table is ready" },
    });
    console.log(message.id);
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    console.error(`${error.explain()} Try again in ${error.retryAfter} s.`);
    process.exit(1);
  }
}
