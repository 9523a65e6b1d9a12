// The worker of a BullMQ sender, by BullMQ's documentation: it listens to `error`, and leaves repetitions to the queue.
import { Worker, UnrecoverableError } from "bullmq";
import { createTransport } from "nodemailer";

const transport = createTransport({
  host: "127.0.0.1",
  port: Number(process.env.KILLTEST_PROVIDER_PORT),
  secure: false,
  ignoreTLS: true,
  connectionTimeout: 30_000,
  socketTimeout: 30_000,
});

async function send(job) {
  try {
    await transport.sendMail({ from: "sender@example.net", to: job.data.to, subject: "Hello", text: "Hello" });
  } catch (error) {
    if (error.responseCode >= 500) throw new UnrecoverableError(error.message);
    throw error;
  }
}

const worker = new Worker("send", send, {
  connection: { host: "127.0.0.1", port: Number(process.env.KILLTEST_REDIS_PORT), maxRetriesPerRequest: null },
  concurrency: 8,
});
worker.on("error", (error) => console.error(error.message));
