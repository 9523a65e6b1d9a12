const texts = {
  verifications: {
    about:
      "Codes by which people prove that a number is theirs. Floods of them to numbers whose owner earns by each SMS are withheld while the protection is on.",
    range: "Period",
    ranges: { day: "24 hours", week: "7 days" },
    byCountry: "Codes by SMS, by country",
    country: "Country",
    started: "Sent",
    approved: "Approved",
    suppressed: "Withheld",
    saves_one: "{{number}} code was withheld, which would have cost {{amount}}.",
    saves_other: "{{number}} codes were withheld, which would have cost {{amount}}.",
    withheld_one: "{{number}} code was withheld.",
    withheld_other: "{{number}} codes were withheld.",
    none: "No code was sent by SMS in this period.",
    notCounted: "Codes are counted by country while the protection is on.",
    suspected: "Suspected groups of numbers",
    noneSuspected: "No code was withheld lately.",
    group: "Numbers",
    from: "withheld from {{number}} without an approval on",
    protection: "Protection from SMS pumping",
    protectionText:
      "When too many codes to a country or a prefix are not entered within an hour, no further one is sent there and none is charged. The answer stays the same, so that the attacker learns nothing.",
    enabled: "Withhold codes to suspected numbers",
    allowed: "Never suspect numbers that begin with",
    allowedText: "One prefix a line, with the calling code. Their codes are not counted, either.",
    wrongPrefix: "“{{prefix}}” is not the beginning of a number. Write + and up to 15 digits, such as +4915.",
    saved: "The protection is saved.",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    verifications: typeof texts;
  }
}
