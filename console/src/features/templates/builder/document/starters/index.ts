import type { Letter, NamedLink, Part } from "../schema";
import en from "./en";
import {
  bullets,
  button,
  columns,
  condition,
  divider,
  heading,
  paragraph,
  picture,
  social,
  spacer,
} from "./parts";
import ru from "./ru";

export const STARTERS = [
  "welcome",
  "newsletter",
  "offer",
  "receipt",
  "shipping",
  "invitation",
  "survey",
  "winBack",
  "birthday",
  "news",
] as const;
export type Starter = (typeof STARTERS)[number];

/** What a letter takes from the brand of its sender. */
export interface House {
  theme: Readonly<Record<string, string>>;
  address: string;
  imprint: string;
  links: readonly NamedLink[];
}

export interface StartedLetter {
  subject: string;
  preheader: string;
  letter: Letter;
  /** values of its variables, for the preview */
  testData: Readonly<Record<string, unknown>>;
}

export type Words = typeof en;
const WORDS: Record<string, Words> = { en, ru };
/** Letters that people need, and can't unsubscribe from. */
const NEEDED: readonly Starter[] = ["receipt", "shipping"];
const SHOP = "https://example.com/";

const BODIES: Record<Starter, (words: Words) => Part[]> = {
  welcome: ({ welcome }) => [
    heading(welcome.title),
    paragraph(welcome.thanks),
    bullets(welcome.steps),
    button(welcome.action, `${SHOP}start`),
    paragraph(welcome.questions),
  ],
  newsletter: ({ newsletter }) => [
    paragraph(newsletter.issue),
    heading(newsletter.title),
    paragraph(newsletter.hello),
    picture,
    heading(newsletter.first, 2),
    paragraph(newsletter.firstText),
    button(newsletter.action, `${SHOP}stories/1`),
    divider,
    columns(
      [heading(newsletter.second, 3), paragraph(newsletter.secondText)],
      [heading(newsletter.third, 3), paragraph(newsletter.thirdText)],
    ),
    social([
      { text: "Instagram", url: "https://instagram.com/example" },
      { text: "YouTube", url: "https://youtube.com/@example" },
    ]),
  ],
  offer: ({ offer }) => [
    picture,
    heading(offer.title, 1, "center"),
    paragraph(offer.text, "center"),
    button(offer.action, `${SHOP}sale`, "center"),
    condition("city", "present", paragraph(offer.near, "center")),
    paragraph(offer.until, "center"),
  ],
  receipt: ({ receipt }) => [
    heading(receipt.title),
    paragraph(receipt.hello),
    columns(
      [paragraph(receipt.numberLabel), paragraph(receipt.dateLabel), paragraph(receipt.totalLabel)],
      [paragraph("[order.number]"), paragraph("[order.date]"), paragraph("[order.total]")],
    ),
    button(receipt.action, `${SHOP}orders/{{ order.number }}`),
    paragraph(receipt.questions),
  ],
  shipping: ({ shipping }) => [
    heading(shipping.title),
    paragraph(shipping.text),
    button(shipping.action, "{{ order.tracking_url }}"),
    condition("order.delivery_date", "present", paragraph(shipping.date)),
    paragraph(shipping.questions),
  ],
  invitation: ({ invitation }) => [
    paragraph(invitation.kicker, "center"),
    heading(invitation.title, 1, "center"),
    paragraph(invitation.text, "center"),
    divider,
    columns(
      [heading(invitation.whenLabel, 2), paragraph(invitation.when)],
      [heading(invitation.whereLabel, 2), paragraph(invitation.where)],
    ),
    spacer(16),
    button(invitation.action, `${SHOP}event`, "center"),
  ],
  survey: ({ survey }) => [
    heading(survey.title),
    paragraph(survey.text),
    button(survey.action, `${SHOP}survey`),
    paragraph(survey.why),
  ],
  winBack: ({ winBack }) => [
    heading(winBack.title),
    paragraph(winBack.text),
    bullets(winBack.changes),
    button(winBack.action, SHOP),
    paragraph(winBack.leave),
  ],
  birthday: ({ birthday }) => [
    spacer(16),
    heading(birthday.title, 1, "center"),
    paragraph(birthday.text, "center"),
    button(birthday.action, `${SHOP}birthday`, "center"),
    paragraph(birthday.until, "center"),
  ],
  news: ({ news }) => [
    heading(news.title),
    paragraph(news.intro),
    picture,
    heading(news.whatLabel, 2),
    bullets(news.what),
    heading(news.whyLabel, 2),
    paragraph(news.why),
    button(news.action, `${SHOP}news`),
  ],
};

const TEST_DATA = {
  name: "Ada",
  city: "London",
  code: "ADA-20",
  order: {
    number: 4711,
    date: "2026-05-04",
    total: "€ 48.00",
    tracking_url: "https://example.com/track/4711",
    delivery_date: "2026-05-07",
  },
};

const languageOf = (locale: string) => (/^ru\b/i.test(locale) ? "ru" : "en");

/** Returns a letter to begin with, in the language that fits best and with the looks of the house. */
export function startedLetter(starter: Starter, locale: string, house: House): StartedLetter {
  const words = WORDS[languageOf(locale)] ?? en;
  const { subject, preheader } = words[starter];
  const letter = whole(BODIES[starter](words), house, NEEDED.includes(starter) ? "" : words.unsubscribe);
  return { subject, preheader, testData: dataFor([subject, preheader, JSON.stringify(letter)]), letter };
}

/** Returns the test data of the variables that these texts have, and of no others. */
function dataFor(texts: readonly string[]): StartedLetter["testData"] {
  const all = texts.join("\n");
  return Object.fromEntries(
    Object.entries(TEST_DATA).filter(([name]) =>
      new RegExp(`\\{\\{ ?${name}\\b|"(?:name|variable)":"${name}[."]`).test(all),
    ),
  );
}

/** Returns a letter with one empty line and a footer. */
export function emptyLetter(locale: string, house: House): Letter {
  const words = WORDS[languageOf(locale)] ?? en;
  return whole([paragraph("")], house, words.unsubscribe);
}

function whole(parts: Part[], { theme, address, imprint, links }: House, unsubscribe: string): Letter {
  const footer: Part = { type: "footer", attrs: { address, imprint, links, unsubscribe } };
  return { type: "doc", attrs: theme, content: [...parts, footer] };
}
