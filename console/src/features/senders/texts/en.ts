const texts = {
  senders: {
    title: "Senders",
    about:
      "Projects in messengers are sent from these accounts. Each project chooses one or several of them.",
    search: "Name or login",
    state: "State",
    states: {
      connected: "Connected",
      disconnected: "Not connected",
      blocked: "Blocked by the messenger",
      deleted: "Deleted",
    },
    name: "Sender",
    source: "Messenger",
    sourceHint: "A word in lower case, such as telegram.",
    through: "Sends through",
    token: "token {{hint}}",
    owner: "Owner",
    added: "Added",
    add: "Add a sender",
    addTitle: "Add a sender",
    addedOne: "{{name}} is a sender now. Projects can choose it.",
    kind: "Kind of account",
    kinds: { messenger: "Messenger account", other: "Another account" },
    account: "Messenger account",
    accountHint: "Messages of projects leave through it while it is connected.",
    noAccounts: "You have no messenger account yet.",
    allAdded: "Each of your messenger accounts is a sender already.",
    addAccount: "Add a messenger account",
    otherText:
      "An account that another program of yours keeps connected. That program reports whether it is connected.",
    login: "Login",
    tokenLabel: "Token",
    tokenHint: "Stored encrypted, and never shown again.",
    showToken: "Show the token",
    nameLabel: "Display name",
    nameHint: "For you: recipients do not see it. Without one, it is the account's own.",
    remove: "Delete",
    removeOf: "Delete {{name}}",
    removeTitle: "Delete the sender {{name}}?",
    removeText:
      "Projects can't choose it any more. Those that use it now go on with their other senders, and pause if they have none. The messenger account stays.",
    removeWithToken:
      "Projects can't choose it any more. Those that use it now go on with their other senders, and pause if they have none. Its token is deleted.",
    removed: "The sender {{name}} is deleted.",
    empty: "There is no sender yet.",
    emptyHint: "Make one of your messenger accounts a sender, and projects can write from it.",
    nothingFound: "No sender matches.",
    total_one: "{{number}} sender",
    total_other: "{{number}} senders",
    more: "Show more",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    senders: typeof texts;
  }
}
