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
  IconMailCheck,
  IconReceipt2,
  IconMessages,
  IconRepeat,
  IconServer2,
  IconSettings,
  IconUserShare,
  IconUsers,
  IconUsersGroup,
  IconUsersPlus,
  IconWallet,
  IconWebhook,
  IconWorld,
  type Icon,
} from "@tabler/icons-react";
import type { Key } from "../i18n";
import type { Permission, Rights } from "../rights";

export interface Page {
  path: string;
  title: Key;
  icon: Icon;
  /** shown only to administrators */
  admin?: boolean;
  /** shown to everybody but administrators */
  notAdmin?: boolean;
  /** the permissions of which a member needs one to see it; absent: none */
  needs?: readonly Permission[];
}

export interface Section {
  /** absent for the page that everybody begins with */
  title?: Key;
  pages: readonly Page[];
}

/** The pages of the navigation and of the command palette. A new feature adds its row here and its route in OtherPages.tsx. */
const SECTIONS: readonly Section[] = [
  {
    pages: [{ path: "/", title: "nav.overview", icon: IconLayoutDashboard, needs: ["statistics:read"] }],
  },
  {
    title: "nav.sections.send",
    pages: [
      {
        path: "/messages",
        title: "nav.messages",
        icon: IconMail,
        needs: ["messages:read", "recipients:read"],
      },
      { path: "/projects", title: "nav.projects", icon: IconUsersGroup, needs: ["projects:read"] },
      { path: "/repeatable", title: "nav.repeatable", icon: IconRepeat, needs: ["projects:read"] },
      { path: "/senders", title: "nav.senders", icon: IconUserShare, needs: ["senders:read"] },
      { path: "/domains", title: "nav.domains", icon: IconWorld, needs: ["senders:read"] },
      {
        path: "/deliverability",
        title: "nav.deliverability",
        icon: IconMailCheck,
        needs: ["statistics:read"],
      },
      { path: "/files", title: "nav.files", icon: IconFiles, needs: ["files:read"] },
      { path: "/blocks", title: "nav.blocks", icon: IconBan, needs: ["blocks:read"] },
    ],
  },
  {
    title: "nav.sections.talk",
    pages: [
      { path: "/inbox", title: "nav.inbox", icon: IconMessages, needs: ["messengers:read"] },
      { path: "/messengers", title: "nav.messengers", icon: IconDeviceMobile, needs: ["messengers:read"] },
    ],
  },
  {
    title: "nav.sections.pay",
    pages: [
      { path: "/accounts", title: "nav.accounts", icon: IconWallet, needs: ["accounts:read"] },
      { path: "/tariffs", title: "nav.tariffs", icon: IconReceipt2, admin: true, needs: ["tariffs:read"] },
    ],
  },
  {
    title: "nav.sections.build",
    pages: [
      { path: "/developer", title: "nav.start", icon: IconCode, needs: ["messages:send"] },
      { path: "/tokens", title: "nav.tokens", icon: IconKey },
      { path: "/webhooks", title: "nav.webhooks", icon: IconWebhook, needs: ["messengers:read"] },
      { path: "/events", title: "nav.events", icon: IconActivity, needs: ["events:read"] },
      { path: "/hook-secrets", title: "nav.hookSecrets", icon: IconFingerprint, needs: ["hooks:write"] },
    ],
  },
  {
    title: "nav.sections.run",
    pages: [
      { path: "/audit", title: "nav.audit", icon: IconHistory, needs: ["audit:read"] },
      {
        path: "/members",
        title: "nav.members",
        icon: IconUsersPlus,
        needs: ["members:read"],
        notAdmin: true,
      },
      { path: "/users", title: "nav.users", icon: IconUsers, admin: true },
      { path: "/settings", title: "nav.settings", icon: IconSettings, admin: true },
      { path: "/system", title: "nav.system", icon: IconServer2, admin: true },
    ],
  },
];

/** Pages that the navigation does not have, and the permission that a member needs for each. */
const MAKING: readonly (readonly [string, Permission])[] = [
  ["/projects/new", "projects:write"],
  ["/repeatable/new", "projects:write"],
  ["/messengers/new", "messengers:write"],
  ["/webhooks/new", "events:write"],
];

/** Returns the sections that a user sees, without the pages that are not for them. */
export function sectionsFor(viewer: Rights): Section[] {
  return SECTIONS.map((section) => ({
    ...section,
    pages: section.pages.filter(
      (page) =>
        (!page.admin || viewer.isAdmin) && !(page.notAdmin && viewer.isAdmin) && hasOne(viewer, page.needs),
    ),
  })).filter((section) => section.pages.length > 0);
}

export function pagesFor(viewer: Rights): Page[] {
  return sectionsFor(viewer).flatMap((section) => section.pages);
}

/** Returns whether a member's permissions are enough for the page at this address. */
export function isOpenFor(viewer: Rights, pathname: string): boolean {
  const making = MAKING.find(([path]) => isCurrent(path, pathname));
  if (making) return viewer.may(making[1]);
  const page = SECTIONS.flatMap(({ pages }) => pages).find(({ path }) => isCurrent(path, pathname));
  return hasOne(viewer, page?.needs);
}

function hasOne(viewer: Rights, needs: readonly Permission[] | undefined): boolean {
  return !needs || needs.some((permission) => viewer.may(permission));
}

/** Returns whether the page at `path` is shown at this address. */
export function isCurrent(path: string, pathname: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}
