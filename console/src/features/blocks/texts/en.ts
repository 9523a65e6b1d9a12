const texts = {
  blocks: {
    title: "Block list",
    search: "Phone or address",
    reason: "Reason",
    reasons: {
      manual: "Blocked by hand",
      optOut: "Answered with a stop word",
      hardBounce: "The address does not exist",
      complaint: "Reported as spam",
      unsubscribed: "Unsubscribed",
    },
    scope: "Stops",
    scopes: { all: "All messages", promotional: "Only advertising" },
    address: "Phone or address",
    since: "Since",
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
