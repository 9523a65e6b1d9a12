const texts = {
  blocks: {
    title: "Block list",
    search: "Phone or address",
    reason: "Reason",
    reasons: {
      manual: "Blocked by hand",
      optOut: "Answered with a stop word",
      hardBounce: "The address does not exist",
      softBounce: "Emails came back several times",
      complaint: "Reported as spam",
      unsubscribed: "Unsubscribed",
    },
    scope: "Stops",
    scopes: { all: "All messages", promotional: "Only advertising" },
    address: "Phone or address",
    since: "Since",
    until: "Until {{time}}",
    add: "Block",
    addTitle: "Block a phone or an address",
    added: "{{address}} is blocked.",
    remove: "Unblock",
    removeOf: "Unblock {{address}}",
    removeTitle: "Unblock {{address}}?",
    removeText: "Your messages may be sent there again. Do it only if the recipient agrees.",
    removeUnsubscribed:
      "This recipient wanted no more messages, or can't be reached. Unblock only if the recipient has agreed again.",
    removed: "{{address}} is not blocked any more.",
    removeMany_one: "Unblock {{number}} address?",
    removeMany_other: "Unblock {{number}} addresses?",
    removedMany_one: "{{number}} address is not blocked any more.",
    removedMany_other: "{{number}} addresses are not blocked any more.",
    import: "Import",
    importTitle: "Block the addresses of a file",
    importText:
      "A table or a text with one phone or email address a line, such as the unsubscribed people of another program. Columns named reason and scope count for their line. The file is deleted afterwards.",
    chooseFile: "Choose a file",
    steps: {
      upload: "{{share}} uploaded",
      read_one: "{{number}} line read",
      read_other: "{{number}} lines read",
      block: "{{done}} of {{total}} blocked",
    },
    imported_one: "{{number}} address is blocked now.",
    imported_other: "{{number}} addresses are blocked now.",
    alreadyBlocked_one: "{{number}} was blocked before.",
    alreadyBlocked_other: "{{number}} were blocked before.",
    unreadable_one: "{{number}} line can't be read:",
    unreadable_other: "{{number}} lines can't be read:",
    line: "Line {{number}}",
    export: "Export",
    exportTitle: "Files",
    exportAs: "The whole block list",
    noExports: "Save the block list as a file. It can be imported again, here or into another installation.",
    summary: "Summary",
    summaryTitle: "Why addresses are blocked",
    number: "Number",
    newest: "Newest",
    empty:
      "Nobody is blocked. Recipients who unsubscribe or answer with a stop word appear here by themselves.",
    nothingFound: "No entry matches.",
    total_one: "{{number}} entry",
    total_other: "{{number}} entries",
    more: "Show more",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    blocks: typeof texts;
  }
}
