/** The permissions of API tokens and members, by area. One that has no text here is shown as the server describes it. */
const texts = {
  scopes: {
    profile: {
      area: "Profile",
      read: "See your user, and the names of your API tokens",
      write: "End its own login",
    },
    users: {
      area: "Users",
      read: "See your user by its id",
      write: "Change or delete your user",
      list: "List users; for administrators",
      admin: "Act for all owners; for administrators",
    },
    accounts: {
      area: "Balances",
      read: "See accounts, balances and ledgers",
      write: "Open, rename and close accounts",
      credit: "Credit accounts; for administrators",
    },
    messages: {
      area: "Messages",
      read: "See messages, with recipients and texts",
      send: "Send messages, and cancel them",
    },
    settings: {
      area: "Settings and brand",
      read: "See settings, the brand, its domains, and the IP allowlist",
      write: "Change settings, the brand, its domains, and the IP allowlist",
    },
    storage: {
      area: "Key-value storage",
      read: "Read the key-value storage",
      write: "Write the key-value storage",
    },
    legacy: {
      area: "Legacy system",
      call: "Call the legacy bridge",
    },
    projects: {
      area: "Projects",
      read: "See projects, also the repeating ones",
      write: "Make, change and delete projects",
      send: "Start, stop and repeat projects",
      approve: "Approve or refuse plans of projects; no API token can",
    },
    recipients: {
      area: "Recipients",
      read: "See recipients of projects, and imports",
      write: "Add, change, import and remove recipients",
    },
    contacts: {
      area: "Contacts",
      read: "See contacts, with their addresses and fields",
      write: "Make, change, merge and delete contacts and their fields",
    },
    verifications: {
      area: "Codes",
      read: "See verifications, with addresses, and suspected groups of numbers",
      write: "Send codes and check them, cancel verifications, and change their protection",
    },
    blocks: {
      area: "Block list",
      read: "See the block list",
      write: "Block and unblock addresses",
    },
    files: {
      area: "Files",
      read: "List and download files",
      write: "Upload and delete files",
    },
    exports: {
      area: "Exports",
      read: "See exports, and download them",
      write: "Make exports of what the other permissions show",
    },
    statistics: {
      area: "Statistics",
      read: "See statistics and the queue",
    },
    senders: {
      area: "Senders",
      read: "See senders",
      write: "Make, change and delete senders",
    },
    tariffs: {
      area: "Tariffs",
      read: "See tariffs and prices",
      write: "Make and change tariffs",
    },
    hooks: {
      area: "Report keys",
      write: "Make secrets of incoming hooks",
      report: "Report statuses, replies and complaints to incoming hooks",
    },
    events: {
      area: "Events",
      read: "Read the event feed",
      write: "Make, change and delete webhooks of the event feed",
    },
    ai: {
      area: "AI",
      write: "Write texts by AI",
    },
    messengers: {
      area: "Messengers",
      read: "See messenger accounts, chats and messages",
      write: "Log messenger accounts in and out, and change them",
      send: "Send messages by messenger accounts",
    },
    members: {
      area: "Members",
      read: "See who may act for you",
      write: "Invite people to act for you, and change or remove them",
    },
    audit: {
      area: "Audit",
      read: "See who changed what, and what was refused",
    },
    system: {
      area: "System",
      read: "See metrics, queues and the state of the installation; for administrators",
    },
  },
  scopeList: {
    approvalAbove: "Most people in 24 hours without an approval",
    approvalAboveHint:
      "How many different people it may reach, by messages, chats and projects together. 0: only what is approved.",
    anyNumber: "No limit",
    reach_one: "Reaches {{number}} person in 24 hours",
    reach_other: "Reaches {{number}} people in 24 hours",
    label: "Permissions",
    presets: "Tick what is needed to:",
    presetNames: {
      send: "Send messages",
      read: "Only read",
      campaigns: "Run projects",
      messengers: "Use messengers",
      events: "Receive events",
      metrics: "Read metrics",
    },
    presetBeyond: "You don't have all of these permissions.",
    untickAll: "Untick all",
    notYours: "you don't have it",
  },
};

export default texts;

declare module "../catalogue" {
  interface Texts {
    scopes: typeof texts;
  }
}
