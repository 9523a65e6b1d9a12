/** Texts of parts that pages share, and that nobody sees first: each later area loads them too. */
const texts = {
  filters: { clear: "Clear filters" },
  from: {
    label: "From",
    hint: "An address of one of your verified domains, with or without a name: {{domains}}",
    channels: "The usual sender of the service",
  },
  audit: {
    about:
      "Who changed what, and what was refused. Secrets are not in it, and addresses and texts only as hashes: equal ones have the same.",
    when: "When",
    who: "By",
    you: "You",
    forYou: "for you",
    forOwner: "for {{name}}",
    operator: "The operator",
    nobody: "Nobody who was logged in",
    operation: "Operation",
    object: "Object",
    objectId: "Object id",
    changes: "Changes",
    none: "nothing",
    result: "Result",
    results: { done: "Done", refused: "Refused" },
    kinds: {
      user: "login",
      token: "API token",
      console: "console",
      cli: "command line",
      system: "the service",
      provider: "provider",
    },
    empty: "Nothing has been changed yet.",
    nothingFound: "No entry matches the filters.",
    more: "Show earlier entries",
    history: "History",
    historyOf: "History of {{name}}",
    noHistory: "Nothing about it is in the audit.",
    wholeHistory: "All entries",
    moreChanges: "and {{number}} more",
    export: "Export",
    exportAll: "All entries",
    exportFiltered: "Entries that match the filters",
    exportAs: "Audit",
    noExports: "No file has been made yet.",
  },
  period: {
    name: "Period",
    any: "Any time",
    ranges: { "1h": "Last hour", "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
    from: "From",
    until: "Until",
  },
  exports: {
    formats: { csv: "CSV", xlsx: "Excel", ndjson: "NDJSON" },
    chooseColumns: "Choose columns…",
    columnsTitle: "Export: {{source}}",
    columns: "Columns",
    allColumns: "All columns",
    noColumns: "None",
    values: "Values of recipients",
    valuesHint: "Their names with commas between them, such as city, plan. Each gets a column.",
    format: "Format",
    start: "Make the file",
    download_one: "Download ({{number}} row)",
    download_other: "Download ({{number}} rows)",
    progress: "{{done}} of {{total}}",
    states: { failed: "Failed", canceled: "Canceled" },
  },
  selection: {
    row: "Select {{name}}",
    all: "Select all that are shown",
    chosen_one: "{{number}} selected",
    chosen_other: "{{number}} selected",
    clear: "Clear the selection",
  },
  balances: { empty: "Empty", low: "Low", funded: "Has money" },
  failures: {
    recipient: {
      what: "The provider can't reach this recipient",
      next: "Check the address with the recipient, then send to the right one.",
    },
    blocked: {
      what: "The recipient is blocked",
      next: "The address is on your block list. Remove the block if the recipient agrees.",
    },
    expired: {
      what: "The message was not sent in time",
      next: "No provider accepted it within its validity. Check the queue and the routes, then send it again.",
    },
    text: {
      what: "The text can't be sent like this",
      next: "Shorten or correct the text, then send it again.",
    },
    attachment: {
      what: "A file of the message can't be sent",
      next: "Upload the file again, or send the message without it.",
    },
    provider: {
      what: "The provider refuses Postern's settings or credentials",
      next: "Ask the operator to check the channel's configuration.",
    },
    temporary: {
      what: "The provider could not take the message",
      next: "Postern has tried several times. Send it again later, or ask the operator to check the provider.",
    },
    uncertain: {
      what: "The provider did not answer",
      next: "Ask the provider whether the message was sent before you send it again.",
    },
    rejected: {
      what: "The provider rejected the message",
      next: "Read the reason. If it is about the content, change the text and send it again.",
    },
    other: {
      what: "The message failed with the code {{code}}",
      next: "Read the reason. If it does not help, tell the operator the id of the message.",
    },
  },
};

export default texts;

declare module "../catalogue" {
  interface Texts {
    shared: typeof texts;
  }
}
