import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const rows = [{ Email: "anna@example.com", Name: "Anna Berg", City: "Berlin" }];
const made = await postern.contactImports.create({ body: { rows, createFields: true } });
console.log(made.uuid, made.status);
