import type { BrandFieldsFragment, BrandFont, SetBrand } from "../../gql/graphql";

export const FONTS = ["system", "humanist", "geometric", "serif", "slab", "mono"] as const;
export const PARTS = ["background", "text", "accent", "buttonText"] as const;

export type Colors = Record<(typeof PARTS)[number], string>;

/** The values of the form. */
export interface Draft extends Record<string, unknown> {
  name: string;
  logoUuid: string | null;
  colors: Colors;
  ownDark: boolean;
  darkColors: Colors;
  font: BrandFont;
  address: string;
  imprint: string;
  links: { text: string; url: string }[];
  footers: { locale: string; text: string }[];
  replyAddress: string;
}

/** The colors of pages without a brand, as core/http/dress.py has them. */
const LIGHT: Colors = { background: "#ffffff", text: "#1b1f24", accent: "#1f4fd8", buttonText: "#ffffff" };
const DARK: Colors = { background: "#16191f", text: "#e8eaed", accent: "#8fb0ff", buttonText: "#0b1020" };

/** Returns the values of a stored brand, or those with which a new one begins. */
export function draftOf(brand: BrandFieldsFragment | null | undefined): Draft {
  return {
    name: brand?.name ?? "",
    logoUuid: brand?.logoUuid ?? null,
    colors: colorsOf(brand?.colors ?? LIGHT),
    ownDark: Boolean(brand?.darkColors),
    darkColors: colorsOf(brand?.darkColors ?? DARK),
    font: brand?.font ?? "system",
    address: brand?.address ?? "",
    imprint: brand?.imprint ?? "",
    links: (brand?.links ?? []).map(({ text, url }) => ({ text, url })),
    footers: (brand?.footers ?? []).map(({ locale, text }) => ({ locale, text })),
    replyAddress: brand?.replyAddress ?? "",
  };
}

function colorsOf({ background, text, accent, buttonText }: Colors): Colors {
  return { background, text, accent, buttonText };
}

/** Returns what is sent: lines that were added and left empty are not. */
export function inputOf(draft: Draft): SetBrand {
  return {
    name: draft.name.trim(),
    logoUuid: draft.logoUuid,
    colors: draft.colors,
    darkColors: draft.ownDark ? draft.darkColors : null,
    font: draft.font,
    address: draft.address.trim() || null,
    imprint: draft.imprint.trim() || null,
    links: draft.links.filter(({ text, url }) => text.trim() || url.trim()),
    footers: draft.footers.filter(({ locale, text }) => locale.trim() || text.trim()),
    replyAddress: draft.replyAddress.trim() || null,
  };
}
