import type { BrandOfLetterQuery } from "../../../../gql/graphql";
import type { House } from "./starters";

/** A house without a brand: the colors are those of a new letter. */
export const NO_HOUSE: House = { theme: {}, address: "", imprint: "", links: [] };

/** Returns what letters take from a brand. */
export function houseOf(brand: BrandOfLetterQuery["brand"]): House {
  if (!brand) return NO_HOUSE;
  const { background, text, accent, buttonText } = brand.colors;
  return {
    theme: { background, paper: background, text, accent, buttonText, font: brand.font },
    address: brand.address ?? "",
    imprint: brand.imprint ?? "",
    links: brand.links.map(({ text, url }) => ({ text, url })),
  };
}
