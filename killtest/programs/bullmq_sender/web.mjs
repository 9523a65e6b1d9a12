// Takes `POST /send?to=…` and adds a job; `GET /states?to=…&to=…` shows the states of the jobs.
import { createServer } from "node:http";
import { Queue } from "bullmq";

const queue = new Queue("send", {
  connection: { host: "127.0.0.1", port: Number(process.env.KILLTEST_REDIS_PORT), enableOfflineQueue: false },
  defaultJobOptions: { attempts: 7, backoff: { type: "exponential", delay: 2000 } },
});
queue.on("error", (error) => console.error(error.message));
const states = { completed: "sent", failed: "failed", unknown: "none" };

async function answer(request, response) {
  const to = new URL(request.url, "http://127.0.0.1").searchParams.getAll("to");
  if (request.method === "POST") {
    // BullMQ ignores a job whose id is there already. It may have no colon.
    await queue.add("send", { to: to[0] }, { jobId: to[0] });
    response.writeHead(202).end();
  } else {
    const rows = await Promise.all(
      to.map(async (address) => {
        const state = await queue.getJobState(address);
        return [address, states[state] ?? "waiting"];
      }),
    );
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rows));
  }
}

createServer((request, response) =>
  answer(request, response).catch((error) => response.writeHead(500).end(String(error))),
).listen(Number(process.argv[2]), "127.0.0.1");
