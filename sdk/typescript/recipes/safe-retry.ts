// Sends a message once, however often this runs: `node safe-retry.js +14155550100 order-4711`.
//
// Each try of a request has the same idempotency key, so that a request whose answer was lost does nothing twice. The
// client makes such a key by itself; one of your own also covers a program that was killed, or a job that runs again.
import { ConnectionFailed, Postern } from "postern-sdk";

const [to, order] = process.argv.slice(2);
const postern = new Postern({ retries: { most: 5 } });

try {
  const message = await postern.messages.send({
    headers: { "Idempotency-Key": `on-its-way-${order}` },
    body: { channel: "sms", to, body: `Your order ${order} is on its way` },
  });
  console.log(message.id);
} catch (error) {
  if (!(error instanceof ConnectionFailed)) throw error;
  console.error(`${error.message} Run it again later, with the same key: that is safe.`);
  process.exitCode = 1;
}
