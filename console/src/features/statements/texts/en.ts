const texts = {
  statements: {
    title: "Statements",
    about: "What each month (UTC) moved on this account. A statement is made on the 3rd of the next month.",
    none: "There is no statement yet. The first one is made on the 3rd of the next month.",
    notFound: "There is no statement of this month.",
    mail: "Mail each new statement to the owner",
    columns: { month: "Month", opening: "Opening balance", closing: "Closing balance" },
    states: { balanced: "Adds up", open: "Does not add up" },
    made: "number {{number}}, made {{time}}",
    difference: "The entries lead to {{counted}}, and the account has {{recorded}}.",
    balance: "Balance",
    late: "Entries of earlier months that came late",
    kinds: { credit: "Credits", charge: "Charges", refund: "Refunds", free: "Free of charge" },
    tables: {
      channel: "By channel",
      country: "By country",
      route: "By route",
      sender: "By sender",
      project: "By project",
    },
    noValue: {
      channel: "messages that are no longer kept",
      country: "no country",
      route: "no route",
      sender: "the channel's own sender",
      project: "single messages",
    },
    messages: "Messages",
    parts: "Parts",
    amount: "Amount",
    more_one: "{{number}} more row is in the CSV file.",
    more_other: "{{number}} more rows are in the CSV file.",
    csv: "CSV",
    save: "Signed file",
    print: "Print",
    verify: "To check the signed file without this service:",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    statements: typeof texts;
  }
}
