const texts = {
  senderIds: {
    about: "The names and numbers that SMS are sent from, and the addresses of emails.",
    search: "The sender, as it is spelled",
    value: "Sender",
    kind: "Kind",
    kinds: { alpha: "Name", number: "Number", short: "Short code", email: "Email address" },
    hints: {
      alpha: "1 to 11 characters, with at least one letter. Nobody can answer a name.",
      number: "With + and the country code.",
      short: "3 to 8 digits.",
      email: "An address at one of your domains, with or without a name.",
    },
    state: "State",
    states: { pending: "Waiting", approved: "Approved", refused: "Refused" },
    countries: "Countries",
    countriesHint: "Their codes of two letters. None: all countries.",
    countriesOf: "Countries of {{value}}",
    allCountries: "all",
    changed: "The countries of {{value}} are saved.",
    owner: "Owner",
    asked: "Asked for",
    actions: "Actions",
    verify: "Verify its domain",
    ask: "Ask for a sender",
    now: {
      pending: "{{value}} waits for approval.",
      approved: "{{value}} is approved: messages may be sent from it.",
      refused: "{{value}} is refused.",
    },
    waiting: "Waiting for approval",
    decide: "Decide",
    decideOf: "Decide about {{value}}",
    decisions: { approved: "Approve", refused: "Refuse" },
    askedBy: "{{kind}} of {{owner}}",
    alsoOf: "{{owner}} has {{value}}, too: {{state}}",
    reason: "Reason",
    reasonHint: "Its owner sees it.",
    delete: "Delete",
    deleteOf: "Delete {{value}}",
    deleteText: "SMS from it that still wait will fail, and are refunded.",
    deleted: "{{value}} is deleted.",
    empty: "There is no sender yet.",
    emptyHint: "Ask for a name or a number, and SMS can be sent from it once it is approved.",
    nothingFound: "No sender matches.",
    total_one: "{{number}} sender",
    total_other: "{{number}} senders",
    more: "Show more",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    senderIds: typeof texts;
  }
}
