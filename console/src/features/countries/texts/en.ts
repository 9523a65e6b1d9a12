const texts = {
  countries: {
    of: "Countries: {{name}}",
    world: "No country (satellite phones and the like)",
    allow: "Allowed countries",
    allowText: "SMS go to these alone. Empty: to all.",
    all: "All countries",
    deny: "Denied countries",
    denyText: "No SMS goes to these.",
    none: "None",
    perHour: "SMS an hour to one country",
    perDay: "SMS a day to one country",
    capText: "Of each user. All at once, and then as it fills again.",
    noCap: "No cap",
    wrongCap: "Write a whole number from 1 on, or nothing.",
    nothingFound: "There is no such country",
    effective: "What holds",
    effectiveText: "By the installation's rule and the user's: the narrower.",
    nothing: "No country is left: every SMS is refused.",
    installation: "The installation's rule",
    installationText: "It holds for the SMS of all users.",
    own: "Your rule",
    ownText:
      "You may make it narrower, such as against a flood of codes. Only an administrator makes it wider again.",
    userRule: "The user's rule",
    userText: "It may only narrow what the installation's rule allows.",
    saved: "The rule is saved. It holds from the next message on.",
    checkTitle: "Check a number",
    number: "Phone number",
    check: "Check",
    accepted: "An SMS to this number would be accepted.",
    refusedBy: {
      installation: "The installation's rule does not allow this country.",
      user: "The user's rule does not allow this country.",
      hour: "The cap of the hour is reached.",
      day: "The cap of the day is reached.",
    },
    leftThisHour: "Left in this hour: {{number}}",
    leftToday: "Left in this day: {{number}}",
    limited: "Limited in the last seven days",
    nothingLimited: "No cap was reached.",
    country: "Country",
    cap: "Cap",
    caps: { hour: "of the hour", day: "of the day" },
    when: "Reached",
    until: "Until",
    user: "User",
    itsRule: "The user's rule",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    countries: typeof texts;
  }
}
