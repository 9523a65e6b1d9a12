import { Postern } from "postern-sdk";

const postern = new Postern(); // of POSTERN_URL, as POSTERN_TOKEN
const verification = await postern.verifications.start({
  body: { channel: "sms", to: "+14155550100", purpose: "login" },
});
console.log(verification.id);
