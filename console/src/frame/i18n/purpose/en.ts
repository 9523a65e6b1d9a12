const texts = {
  purpose: {
    question: "What is Postern for?",
    hint: "Choose all that apply. It decides what the menu shows first, and which parts are on.",
    names: {
      campaigns: "Send to our customers",
      answers: "Answer messages",
      api: "Messages for our programs",
      resale: "Sell messaging to others",
    },
    texts: {
      campaigns: "Campaigns by SMS, email, push and messengers, to contacts, segments and subscribers.",
      answers: "One inbox for the Telegram and WhatsApp accounts of a team.",
      api: "An API for single messages, with webhooks and a feed of events.",
      resale: "Accounts with credit for other companies, with tariffs, prices and routes.",
    },
    costs: {
      none: "You can decide later: until then everything is on, and messages are charged to accounts.",
      off: "Without “Sell messaging to others” nothing costs anything.",
      prepaid: "Messages are charged to accounts, which need credit.",
    },
    later: "You can change this under System, Purpose.",
  },
};

export default texts;

declare module "../catalogue" {
  interface Texts {
    purpose: typeof texts;
  }
}
