// An SMSC made of npm's smpp, which takes every submit_sm.
//
//   node smpp_server.js [port] [nagle|nodelay] [milliseconds]
//
// `nagle` (the default) leaves Nagle's algorithm on, as npm's smpp and Node do: an answer then waits until the client's
// kernel has acknowledged the one before. Answers are sent after so many milliseconds, at once by default.
// Writes "listening PORT" to stdout. For each line on stdin it writes one line of JSON: `submitted` (messages since the
// last line), `seconds` (from the first of them to the last) and `cpu` (processor seconds of this process since the
// last line). It ends when stdin is closed.
"use strict";

const readline = require("readline");
const smpp = require("smpp");

const now = () => Number(process.hrtime.bigint()) / 1e9;
let submitted = 0;
let first = 0;
let last = 0;
let id = 0;
let cpu = process.cpuUsage();
const nodelay = process.argv[3] === "nodelay";
const latency = Number(process.argv[4] || 0);

const server = smpp.createServer((session) => {
  session.socket.setNoDelay(nodelay);
  const respond = (pdu) => session.send(pdu.response());
  session.on("bind_transceiver", respond);
  session.on("bind_transmitter", respond);
  session.on("bind_receiver", respond);
  session.on("enquire_link", respond);
  session.on("submit_sm", (pdu) => {
    last = now();
    if (submitted === 0) first = last;
    submitted += 1;
    id += 1;
    const answer = pdu.response({ message_id: id.toString(16) });
    if (latency) setTimeout(() => session.send(answer), latency);
    else session.send(answer);
  });
  session.on("unbind", (pdu) => {
    session.send(pdu.response());
    session.close();
  });
  session.on("error", () => session.destroy());
});

server.listen(Number(process.argv[2] || 0), "127.0.0.1", () => {
  process.stdout.write(`listening ${server.address().port}\n`);
});

const input = readline.createInterface({ input: process.stdin });
input.on("line", () => {
  const used = process.cpuUsage(cpu);
  const report = { submitted, seconds: last - first, cpu: (used.user + used.system) / 1e6 };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  submitted = first = last = 0;
  cpu = process.cpuUsage();
});
input.on("close", () => process.exit(0));
