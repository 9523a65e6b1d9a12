import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const project = await postern.sendingProjects.create({
  body: { name: "Spring sale", channel: "sms", text: "Hello {{ name }}, the sale begins today." },
});
console.log(project.uuid);
