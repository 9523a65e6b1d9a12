import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const project = await postern.sendingProjects.start({
  path: { sendingProjectUuid: "0190a5d6-6c3a-7d4e-9a51-2f0f5a7d3c11" },
});
console.log(project.status);
