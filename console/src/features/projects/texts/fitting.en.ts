export default {
  fitting: {
    otherKind: {
      email: "This list has email addresses and no phone numbers.",
      sms: "This list has phone numbers and no email addresses.",
    },
    sendBy: { email: "Send by email", sms: "Send by SMS" },
    noneFits: "No row can be reached by {{channel}}. Choose another channel above, and read the list again.",
  },
};
