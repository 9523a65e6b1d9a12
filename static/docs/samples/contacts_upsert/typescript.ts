import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const contact = await postern.contacts.upsert({
  body: {
    externalId: "customer-17",
    name: "Anna Berg",
    addresses: [{ channel: "email", address: "anna@example.com" }],
  },
});
console.log(contact.id);
