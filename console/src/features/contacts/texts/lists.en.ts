const texts = {
  contactLists: {
    title: "Import a list",
    open: "Import a list",
    about:
      "Each row becomes a contact, or changes the one with the same external id or address. An empty cell changes nothing.",
    uses: {
      name: "Name",
      externalId: "External id",
      locale: "Language",
      timezone: "Time zone",
      status: "Status",
      email: "Email",
      sms: "Phone (SMS)",
      push: "Push token",
      telegram: "Telegram",
      whatsapp: "WhatsApp",
      field: "Field",
      none: "Not used",
    },
    fieldOf: "Field of the column {{column}}",
    needIdentity: "Choose a column of external ids or of addresses: without one nobody is found again.",
    wrongFields:
      "The name of a field has letters from a to z, digits and _, begins with a letter, and belongs to one column.",
    createFields: "Add the fields that you do not have",
    createFieldsHint: "Their type is that of the first rows' values.",
    subscribe: "Subscribe these people to",
    subscribeHint: "Who has withdrawn a topic stays withdrawn.",
    evidenceHint:
      "Where the proof is that these people want it, such as an export of your shop. It is kept as theirs.",
    start: "Import the list",
    created: "added: {{number}}",
    changed: "changed: {{number}}",
    unchanged: "as they were: {{number}}",
    subscribed: "subscriptions: {{number}}",
    suppressed: "left, bounce or complained: {{number}}",
    show: "Show the contacts",
  },
};
export default texts;
