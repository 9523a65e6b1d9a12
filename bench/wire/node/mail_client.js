// nodemailer with a pool of connections.
//
//   node mail_client.js port count connections text
//
// Sends a tenth of `count` to warm up, then `count` plain messages, twice as many at once as there are connections, so
// that its queue is never empty. Writes one line of JSON: `messages`, `seconds` and `cpu` (processor seconds of this
// process), both without the start and the warm-up.
"use strict";

const nodemailer = require("nodemailer");

const [port, count, connections] = process.argv.slice(2, 5).map(Number);
const text = process.argv[5];
const now = () => Number(process.hrtime.bigint()) / 1e9;

const transport = nodemailer.createTransport({
  pool: true,
  host: "127.0.0.1",
  port,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: Infinity,
});

async function send(total) {
  let begun = 0;
  const run = async () => {
    while (begun < total) {
      begun += 1;
      const sent = await transport.sendMail({
        from: "Postern <news@example.com>",
        to: `anna${begun}@example.com`,
        subject: "Your order has left our warehouse",
        text,
      });
      if (sent.accepted.length !== 1) throw new Error(sent.response);
    }
  };
  await Promise.all(Array.from({ length: 2 * connections }, run));
}

async function main() {
  await send(Math.ceil(count / 10));
  const started = now();
  const before = process.cpuUsage();
  await send(count);
  const seconds = now() - started;
  const used = process.cpuUsage(before);
  transport.close();
  const report = { messages: count, seconds, cpu: (used.user + used.system) / 1e6 };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
