import {
  IconActivity,
  IconBan,
  IconCode,
  IconFiles,
  IconFingerprint,
  IconHistory,
  IconKey,
  IconDatabaseExport,
  IconDeviceMobile,
  IconLayoutDashboard,
  IconMail,
  IconMap2,
  IconMailCheck,
  IconReceipt2,
  IconMessages,
  IconRepeat,
  IconRoute,
  IconServer2,
  IconSettings,
  IconSignature,
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

type Names = Key extends infer K
  ? K extends `nav.${infer Name}`
    ? Name extends `${string}.${string}`
      ? never
      : Name
    : never
  : never;

export interface Section {
  /** absent for the page that everybody begins with */
  title?: Key;
  pages: readonly Page[];
}

/** A page whose address and title have the same name. */
const page = (
  name: Names,
  icon: Icon,
  needs?: readonly Permission[],
  more?: Pick<Page, "admin" | "notAdmin">,
): Page => ({ path: `/${name}`, title: `nav.${name}`, icon, needs, ...more });

/** The pages of the navigation and of the command palette. A new feature adds its row here and its route in OtherPages.tsx. */
const SECTIONS: readonly Section[] = [
  {
    pages: [{ path: "/", title: "nav.overview", icon: IconLayoutDashboard, needs: ["statistics:read"] }],
  },
  {
    title: "nav.sections.send",
    pages: [
      page("messages", IconMail, ["messages:read", "recipients:read"]),
      page("projects", IconUsersGroup, ["projects:read"]),
      page("repeatable", IconRepeat, ["projects:read"]),
      page("contacts", IconUsers, ["contacts:read"]),
      page("senders", IconUserShare, ["senders:read"]),
      { path: "/sender-ids", title: "nav.senderIds", icon: IconSignature, needs: ["senders:read"] },
      page("domains", IconWorld, ["senders:read"]),
      page("deliverability", IconMailCheck, ["statistics:read"]),
      page("files", IconFiles, ["files:read"]),
      page("blocks", IconBan, ["blocks:read"]),
    ],
  },
  {
    title: "nav.sections.talk",
    pages: [
      page("inbox", IconMessages, ["messengers:read"]),
      page("messengers", IconDeviceMobile, ["messengers:read"]),
    ],
  },
  {
    title: "nav.sections.pay",
    pages: [
      page("accounts", IconWallet, ["accounts:read"]),
      page("tariffs", IconReceipt2, ["tariffs:read"], { admin: true }),
      page("countries", IconMap2, ["settings:read"]),
      page("routes", IconRoute, ["settings:read"]),
    ],
  },
  {
    title: "nav.sections.build",
    pages: [
      { path: "/developer", title: "nav.start", icon: IconCode, needs: ["messages:send"] },
      page("tokens", IconKey),
      page("webhooks", IconWebhook, ["messengers:read"]),
      page("events", IconActivity, ["events:read"]),
      { path: "/event-sinks", title: "nav.eventSinks", icon: IconDatabaseExport, needs: ["events:read"] },
      { path: "/hook-secrets", title: "nav.hookSecrets", icon: IconFingerprint, needs: ["hooks:write"] },
    ],
  },
  {
    title: "nav.sections.run",
    pages: [
      page("audit", IconHistory, ["audit:read"]),
      page("members", IconUsersPlus, ["members:read"], { notAdmin: true }),
      page("users", IconUsers, undefined, { admin: true }),
      page("settings", IconSettings, undefined, { admin: true }),
      page("system", IconServer2, undefined, { admin: true }),
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
