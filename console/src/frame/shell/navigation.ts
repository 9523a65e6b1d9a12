import {
  IconActivity,
  IconBan,
  IconCode,
  IconFiles,
  IconFingerprint,
  IconHistory,
  IconKey,
  IconDeviceMobile,
  IconLayoutDashboard,
  IconMail,
  IconReceipt2,
  IconMessages,
  IconRepeat,
  IconServer2,
  IconSettings,
  IconUserShare,
  IconUsers,
  IconUsersGroup,
  IconWallet,
  IconWebhook,
  type Icon,
} from "@tabler/icons-react";
import type { Key } from "../i18n";

export interface Page {
  path: string;
  title: Key;
  icon: Icon;
  /** shown only to administrators */
  admin?: boolean;
}

export interface Section {
  /** absent for the page that everybody begins with */
  title?: Key;
  pages: readonly Page[];
}

/** The pages of the navigation and of the command palette. A new feature adds its row here and its route in OtherPages.tsx. */
const SECTIONS: readonly Section[] = [
  {
    pages: [{ path: "/", title: "nav.overview", icon: IconLayoutDashboard }],
  },
  {
    title: "nav.sections.send",
    pages: [
      { path: "/messages", title: "nav.messages", icon: IconMail },
      { path: "/projects", title: "nav.projects", icon: IconUsersGroup },
      { path: "/repeatable", title: "nav.repeatable", icon: IconRepeat },
      { path: "/senders", title: "nav.senders", icon: IconUserShare },
      { path: "/files", title: "nav.files", icon: IconFiles },
      { path: "/blocks", title: "nav.blocks", icon: IconBan },
    ],
  },
  {
    title: "nav.sections.talk",
    pages: [
      { path: "/inbox", title: "nav.inbox", icon: IconMessages },
      { path: "/messengers", title: "nav.messengers", icon: IconDeviceMobile },
    ],
  },
  {
    title: "nav.sections.pay",
    pages: [
      { path: "/accounts", title: "nav.accounts", icon: IconWallet },
      { path: "/tariffs", title: "nav.tariffs", icon: IconReceipt2, admin: true },
    ],
  },
  {
    title: "nav.sections.build",
    pages: [
      { path: "/developer", title: "nav.start", icon: IconCode },
      { path: "/tokens", title: "nav.tokens", icon: IconKey },
      { path: "/webhooks", title: "nav.webhooks", icon: IconWebhook },
      { path: "/events", title: "nav.events", icon: IconActivity },
      { path: "/hook-secrets", title: "nav.hookSecrets", icon: IconFingerprint },
    ],
  },
  {
    title: "nav.sections.run",
    pages: [
      { path: "/audit", title: "nav.audit", icon: IconHistory },
      { path: "/users", title: "nav.users", icon: IconUsers, admin: true },
      { path: "/settings", title: "nav.settings", icon: IconSettings, admin: true },
      { path: "/system", title: "nav.system", icon: IconServer2, admin: true },
    ],
  },
];

/** Returns the sections that a user sees, without the pages that are not for them. */
export function sectionsFor(viewer: { isAdmin: boolean }): Section[] {
  return SECTIONS.map((section) => ({
    ...section,
    pages: section.pages.filter((page) => !page.admin || viewer.isAdmin),
  })).filter((section) => section.pages.length > 0);
}

export function pagesFor(viewer: { isAdmin: boolean }): Page[] {
  return sectionsFor(viewer).flatMap((section) => section.pages);
}

/** Returns whether the page at `path` is shown at this address. */
export function isCurrent(path: string, pathname: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}
