const texts = {
  tariffs: {
    tariff: "Tariff",
    new: "New tariff",
    create: "Create the tariff",
    edit: "Edit",
    name: "Name",
    code: "Code",
    codeHint: "For programs: small letters, digits, - and _. It can't be changed later.",
    codeTaken: "The tariff “{{name}}” has this code already.",
    codeTakenOpen: "Open it",
    public: "Everybody may choose it",
    hidden: "Only assigned",
    publicHint: "Otherwise only an administrator can assign it.",
    channels: "Channels",
    prices: "Prices",
    pricesText:
      "For each message; for an SMS, for each of its segments. Without a price nothing can be sent on that channel from accounts in that currency.",
    noPrices: "No prices: nothing can be sent",
    noPricesIn: "{{currency}}: no prices",
    priceOf: "{{channel}}, price in {{currency}}",
    notSent: "no price",
    currency: "Currency",
    addCurrency: "Add a currency",
    wrongCurrency: {
      currency: "Write a currency of three letters, such as EUR, in front of the prices.",
      twice: "Each currency may have one row only.",
    },
    removeCurrency: "Remove the currency of row {{number}}",
    limitsTitle: "Limits of each user",
    limits: {
      messagesPerDay: "Project messages a day (UTC)",
      messagesPerMinute: "Project messages a minute",
      maxConcurrentProjects: "Projects at once",
      maxRecipientsPerProject: "Recipients of a project",
    },
    limitWrong: "Write a whole number that is not too large.",
    users: "Users with this tariff",
    yours: "Yours",
    isYours: "This is your tariff.",
    own: "Your tariff: {{name}}",
    resets: "The day begins again at",
    messagesToday: "Project messages today",
    projects: "Projects at once",
    usedOf: "{{used}} of {{limit}}",
    choose: "Choose",
    chooseOf: "Choose {{name}}",
    chooseForMe: "Choose for myself",
    chooseTitle: "Choose “{{name}}”?",
    chooseText:
      "Its prices and limits apply to everything that you send from now on. What is already charged stays.",
    chosen: "Your tariff is now “{{name}}”.",
    saved: "“{{name}}” is saved.",
    saveHint: "New prices and limits apply to all its users from now on.",
    notFound: "There is no tariff with this code, or you may not choose it.",
    first: "First page",
    next: "Next page",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    tariffs: typeof texts;
  }
}
