const texts = {
  users: {
    user: "User",
    search: "Name or email",
    columns: { email: "Email", name: "Name", role: "Role", status: "Status", created: "Created" },
    states: { active: "Active", invited: "Invited", suspended: "Suspended", deleted: "Deleted" },
    roles: { admin: "Administrator", user: "User" },
    total_one: "{{number}} user",
    total_other: "{{number}} users",
    nothingFound: "No user matches these filters.",
    notFound: "There is no user with this id.",
    id: "Id",
    person: "Person",
    name: "Display name",
    isAdmin: "Administrator",
    isAdminHint: "Sees and changes everything, of all users.",
    isAdminSelf: "Another administrator can take this role from you.",
    becomesAdmin: "The user will see and change everything.",
    becomesUser: "The user will see only what belongs to the user.",
    saved: "The user is changed.",
    self: "This is you. Name, email and password are on your profile; only another administrator can suspend or delete you.",
    add: "Add a user",
    how: "First login",
    byInvitation: "By an invitation: the user chooses a password",
    byPassword: "With a password that I set now",
    passwordHint: "8 characters or more; longer is stronger.",
    invite: "Create the invitation",
    create: "Create the user",
    added: "{{email}} is added",
    made: "The user can log in with the password that you have set.",
    show: "Show the user",
    done: "Done",
    token: "Invitation token",
    tokenOnce: "The token is shown only now. Copy it before you close this.",
    tokenText:
      "Give it to {{email}} over a way that only this person can read. Whoever has it can set the password.",
    tokenPage: "It is accepted at",
    tokenUntil: "Valid until",
    tokenCopy: "Copy the token",
    moves: {
      suspend: {
        button: "Suspend…",
        title: "Suspend {{email}}?",
        question:
          "All logins end at once, also those that are open now, and all API tokens are refused. Running projects pause, and messenger accounts disconnect. You can activate the user again.",
        action: "Suspend",
        done: "{{email}} is suspended.",
      },
      activate: {
        button: "Activate…",
        title: "Activate {{email}}?",
        question: "The user can log in again. Paused projects continue.",
        action: "Activate",
        done: "{{email}} is active again.",
      },
      delete: {
        button: "Delete…",
        title: "Delete {{email}} for ever?",
        question:
          "All logins and API tokens end, and projects stop. Messages, accounts and their ledgers stay, and the email can't be used again. A deleted user can't come back.",
        action: "Delete for ever",
        done: "{{email}} is deleted.",
      },
      invite: {
        button: "New invitation…",
        title: "Invite {{email}} again?",
        question: "A new token is made and shown once. The earlier one is no longer accepted.",
        action: "Make a new token",
        done: "{{email}} is invited",
      },
    },
    next: {
      invited: "The user has not accepted the invitation yet. If the token was lost, make a new invitation.",
      suspended: "The user can't log in, and nothing of this user is sent.",
      deleted: "The user is deleted and can't come back.",
    },
    allAccounts: "Show all",
    noAccounts: "The user has no account.",
    tariff: "Tariff",
    tariffPrices: "Prices and limits",
    giveTariff: "Assign",
    tariffGiven: "{{email}} now has the tariff “{{tariff}}”.",
    sends: "What belongs to the user",
    itsMessages: "Direct messages",
    itsProjects: "Projects",
    itsAccounts: "Accounts",
    itsCountries: "Countries of its SMS",
  },
  password: {
    title: "Set a new password",
    ask: "Enter the email that you log in with. If a user has it, a link to set a new password is mailed there.",
    send: "Mail the link",
    sent: "If a user has the email {{email}}, a link is on its way. It works for half an hour.",
    set: "Choose a new password. All your logins end.",
    new: "New password",
    done: "Your password is set. Log in with your email and the new password.",
    login: "Log in",
  },
  firstUser: {
    title: "Make the first administrator",
    text: "You become the administrator of this installation. Enter the email and the password that you will log in with.",
    create: "Make the administrator",
    noLink:
      "Open the whole link that `postern serve` has printed to its terminal, or make the administrator there: postern user create EMAIL --admin",
  },
  invitation: {
    title: "Accept an invitation",
    text: "Paste the token that an administrator has given you, and choose a password.",
    token: "Invitation token",
    name: "Your name (optional)",
    password: "New password",
    accept: "Set the password",
    login: "I have a password: log in",
    loggedIn: "You are logged in as {{email}}. Log out to accept an invitation of another user.",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    users: typeof texts;
  }
}
