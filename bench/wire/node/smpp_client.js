// npm's smpp as a client that keeps its window full.
//
//   node smpp_client.js port count window text
//
// Binds, sends a tenth of `count` to warm up, then `count` messages, and writes one line of JSON: `messages`, `seconds`
// and `cpu` (processor seconds of this process), both without the start and the warm-up.
"use strict";

const smpp = require("smpp");

const [port, count, window] = process.argv.slice(2, 5).map(Number);
const text = process.argv[5];
const now = () => Number(process.hrtime.bigint()) / 1e9;

const session = smpp.connect({ host: "127.0.0.1", port });
session.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

function send(total, done) {
  let begun = 0;
  let answered = 0;
  const next = () => {
    if (begun === total) return;
    begun += 1;
    const fields = {
      source_addr_ton: 5,
      source_addr: "Acme",
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: String(14155550000 + (begun % 10000)),
      registered_delivery: 1,
      short_message: text,
    };
    session.submit_sm(fields, (answer) => {
      if (answer.command_status !== 0) throw new Error(`command_status ${answer.command_status}`);
      answered += 1;
      if (answered === total) done();
      else next();
    });
  };
  for (let slot = 0; slot < window; slot += 1) next();
}

session.on("connect", () => {
  session.bind_transceiver({ system_id: "bench", password: "bench", interface_version: 0x34 }, (bound) => {
    if (bound.command_status !== 0) throw new Error(`bind: command_status ${bound.command_status}`);
    send(Math.ceil(count / 10), () => {
      const started = now();
      const before = process.cpuUsage();
      send(count, () => {
        const seconds = now() - started;
        const used = process.cpuUsage(before);
        const report = { messages: count, seconds, cpu: (used.user + used.system) / 1e6 };
        process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
      });
    });
  });
});
