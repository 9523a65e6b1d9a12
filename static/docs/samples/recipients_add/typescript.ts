import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const added = await postern.recipients.add({
  path: { sendingProjectUuid: "0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11" },
  body: { recipients: [{ phone: "+14155550100", name: "Anna" }] },
});
console.log(added.added, added.invalidCount);
