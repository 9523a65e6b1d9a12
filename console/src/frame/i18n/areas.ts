import type { Language } from "../preferences";

type Loaders = Record<Language, () => Promise<{ default: object }>>;

/** Texts of pages that nobody sees first. Those of an area are loaded together, when the first page of it is shown. */
export const areas = {
  messages: { en: () => import("./en/messages"), ru: () => import("./ru/messages") },
  campaigns: { en: () => import("./en/campaigns"), ru: () => import("./ru/campaigns") },
  messengers: { en: () => import("./en/messengers"), ru: () => import("./ru/messengers") },
  developer: { en: () => import("./en/developer"), ru: () => import("./ru/developer") },
  operator: { en: () => import("./en/operator"), ru: () => import("./ru/operator") },
} satisfies Record<string, Loaders>;

export type Area = keyof typeof areas;
