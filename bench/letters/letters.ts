// Prints the starter letters of the console's builder, as it exports them, as JSON.
import { NO_HOUSE } from "../../console/src/features/templates/builder/document/house";
import { renderedOf } from "../../console/src/features/templates/builder/document/rendered";
import { schema } from "../../console/src/features/templates/builder/document/schema";
import { sourceOf } from "../../console/src/features/templates/builder/document/source";
import {
  startedLetter,
  STARTERS,
  type House,
} from "../../console/src/features/templates/builder/document/starters";

const BRAND: House = {
  theme: {
    accent: "#0b6e4f",
    background: "#fffdf7",
    paper: "#fffdf7",
    text: "#1d1d1b",
    buttonText: "#ffffff",
    font: "humanist",
  },
  address: "Example Shop Ltd\n1 High Street\nLondon",
  imprint: "Registered in England, no. 0123456",
  links: [{ text: "Privacy", url: "https://example.com/privacy?a=1&b=2" }],
};
const PICTURE = {
  src: "https://images.example.com/0190a2345678abcdef0190a2345678ab.png",
  alt: 'A field with a "red" sign',
  width: 400,
  href: "https://example.com/?a=1&b=2",
};

const letters = STARTERS.flatMap((name) =>
  ["en", "ru"].map((locale) => {
    const { letter, subject, preheader, testData } = startedLetter(
      name,
      locale,
      locale === "en" ? BRAND : NO_HOUSE,
    );
    // The authors choose the pictures.
    const content = letter.content?.map((part) =>
      part.type === "image"
        ? { ...part, attrs: { ...part.attrs, ...PICTURE } }
        : part,
    );
    const made = renderedOf(
      sourceOf(schema.nodeFromJSON({ ...letter, content })),
      locale,
      subject,
    );
    return { name, locale, subject, preheader, testData, ...made };
  }),
);
process.stdout.write(JSON.stringify(letters));
