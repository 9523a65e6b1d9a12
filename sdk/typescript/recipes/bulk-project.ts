// Sends to a list of people by a project: recipients, plan, start, progress: `node bulk-project.js recipients.json`.
//
// The file is a list such as [{"phone": "+14155550100", "variables": {"name": "Anna"}}].
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { iterate, Postern, type NewRecipient } from "postern-sdk";

const people = JSON.parse(await readFile(process.argv[2]!, "utf8")) as NewRecipient[];
const postern = new Postern();

let project = await postern.sendingProjects.create({
  body: { name: "Spring sale", channel: "sms", text: "Hello {{ name }}, the sale begins today." },
});
const path = { sendingProjectUuid: project.uuid };
for (let start = 0; start < people.length; start += 1000) {
  // as many as one request takes
  await postern.recipients.add({ path, body: { recipients: people.slice(start, start + 1000) } });
}

// The plan says what a start would do, and its hash that nothing of it has changed since.
const plan = await postern.projectPlans.makePlan({ path });
console.log("plan", plan.atMostRecipients, "recipients at most, at a cost of", plan.atMost, "at most");
project = await postern.sendingProjects.start({ path, body: { planHash: plan.hash } });

while (!["finished", "stopped"].includes(project.status)) {
  await sleep(500);
  project = await postern.sendingProjects.get({ path });
  console.log("progress", project.status, project.counts.sent, "sent of", project.counts.total);
}
const failed = { sendingProjectUuid: project.uuid, status: "failed" } as const;
for await (const record of iterate((page) =>
  postern.messageRecords.list({ query: { ...page, ...failed } }),
)) {
  console.log("failed", record.to, record.failureCode);
}
