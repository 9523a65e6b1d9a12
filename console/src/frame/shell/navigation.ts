import {
  IconActivity,
  IconArrowBackUp,
  IconBan,
  IconChecklist,
  IconChartBar,
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
  IconPalette,
  IconMailCheck,
  IconReceipt2,
  IconMessages,
  IconRepeat,
  IconRoute,
  IconServer2,
  IconSettings,
  IconTemplate,
  IconTimeline,
  IconShieldCheck,
  IconUserShare,
  IconUsers,
  IconUsersGroup,
  IconUsersPlus,
  IconWallet,
  IconWebhook,
  IconWorld,
  type Icon,
} from "@tabler/icons-react";
import type { Module, Purpose } from "../../gql/graphql";
import type { Key } from "../i18n";
import { PURPOSES, type Installation } from "../installation";
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
  /** the module that it is a part of; absent: it is never off */
  module?: Module;
  /** shown only while messages cost money */
  paid?: boolean;
  /** beside its name stands how many plans wait for a decision */
  waits?: boolean;
}

/** What decides which pages somebody sees. */
export type Visitor = Rights & { installation: Installation };

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
  more?: Pick<Page, "admin" | "notAdmin" | "module" | "paid">,
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
      page("templates", IconTemplate, ["projects:read"]),
      page("series", IconTimeline, ["projects:read"], { module: "people" }),
      page("repeatable", IconRepeat, ["projects:read"]),
      { ...page("approvals", IconChecklist, ["projects:read"]), waits: true },
      page("contacts", IconUsers, ["contacts:read"], { module: "people" }),
      page("senders", IconUserShare, ["senders:read"]),
      page("verifications", IconShieldCheck, ["verifications:read"]),
      page("brand", IconPalette, ["settings:read"]),
      page("domains", IconWorld, ["senders:read"], { module: "mail" }),
      page("deliverability", IconMailCheck, ["statistics:read"], { module: "mail" }),
      page("files", IconFiles, ["files:read"]),
      page("blocks", IconBan, ["blocks:read"]),
    ],
  },
  {
    title: "nav.sections.talk",
    pages: [
      page("inbox", IconMessages, ["messengers:read"], { module: "messengers" }),
      page("messengers", IconDeviceMobile, ["messengers:read"]),
    ],
  },
  {
    title: "nav.sections.pay",
    pages: [
      page("accounts", IconWallet, ["accounts:read"]),
      page("tariffs", IconReceipt2, ["tariffs:read"], { admin: true, paid: true }),
      page("countries", IconMap2, ["settings:read"], { module: "trade" }),
      page("routes", IconRoute, ["settings:read"], { module: "trade" }),
      page("costs", IconChartBar, ["settings:read"], { admin: true, module: "trade" }),
    ],
  },
  {
    title: "nav.sections.build",
    pages: [
      { path: "/developer", title: "nav.start", icon: IconCode, needs: ["messages:send"] },
      page("tokens", IconKey),
      page("webhooks", IconWebhook, ["messengers:read"]),
      page("events", IconActivity, ["events:read"], { module: "events" }),
      {
        path: "/event-sinks",
        title: "nav.eventSinks",
        icon: IconDatabaseExport,
        needs: ["events:read"],
        module: "events",
      },
      page("callbacks", IconArrowBackUp, ["events:read"]),
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

/** The pages that stand at the top of the menu for each purpose, the most important first. */
const MAIN: Record<Purpose | "everything", readonly string[]> = {
  campaigns: [
    "/",
    "/projects",
    "/templates",
    "/contacts",
    "/repeatable",
    "/messages",
    "/domains",
    "/deliverability",
  ],
  answers: ["/", "/inbox", "/messengers", "/webhooks", "/files", "/tokens"],
  api: ["/", "/messages", "/developer", "/tokens", "/webhooks", "/events", "/domains", "/senders"],
  resale: ["/", "/messages", "/accounts", "/users", "/tariffs", "/routes", "/countries", "/senders"],
  everything: [
    "/",
    "/messages",
    "/projects",
    "/templates",
    "/contacts",
    "/inbox",
    "/messengers",
    "/accounts",
    "/deliverability",
    "/developer",
    "/webhooks",
    "/system",
  ],
};
const MOST_OF_ONE = 8;
const MOST_OF_SEVERAL = 12;

/** Pages that the navigation does not have, and the permission that a member needs for each. */
const MAKING: readonly (readonly [string, Permission])[] = [
  ["/projects/new", "projects:write"],
  ["/repeatable/new", "projects:write"],
  ["/messengers/new", "messengers:write"],
  ["/webhooks/new", "events:write"],
];

/** Parts of pages that belong to a module, although their page is never off. */
const PARTS: readonly (readonly [string, Module])[] = [
  ["/system/returned-mail", "mail"],
  ["/tariffs/lists", "trade"],
  ["/senders/ids", "trade"],
];

export interface Navigation {
  main: readonly Page[];
  /** all others, in their sections; empty if everything fits among the main ones */
  more: readonly Section[];
}

/** Returns the menu of a user: the pages that the purposes of the installation are about, and all others. */
export function navigationFor(viewer: Visitor): Navigation {
  const { purposes } = viewer.installation;
  const seen = pagesFor(viewer);
  const most = purposes.length === 1 ? MOST_OF_ONE : MOST_OF_SEVERAL;
  if (seen.length <= most) return { main: seen, more: [] };
  const main = mainPaths(purposes)
    .flatMap((path) => seen.find((page) => page.path === path) ?? [])
    .slice(0, most);
  const more = SECTIONS.map(({ title, pages }) => ({
    title,
    pages: pages.filter((page) => seen.includes(page) && !main.includes(page)),
  })).filter(({ pages }) => pages.length > 0);
  return { main, more };
}

/** Returns the pages that the purposes are about. Of several purposes the most important pages of each come first. */
function mainPaths(purposes: readonly Purpose[]): readonly string[] {
  if (purposes.length === 0 || purposes.length === PURPOSES.length) return MAIN.everything;
  const lists = PURPOSES.filter((purpose) => purposes.includes(purpose)).map((purpose) => MAIN[purpose]);
  const longest = Math.max(...lists.map((list) => list.length));
  const places = Array.from({ length: longest }, (_, place) => place);
  return [...new Set(places.flatMap((place) => lists.flatMap((list) => list[place] ?? [])))];
}

/** Returns the pages that a user sees, in the order of the sections. */
export function pagesFor(viewer: Visitor): Page[] {
  const { modules, billing } = viewer.installation;
  return SECTIONS.flatMap(({ pages }) => pages).filter(
    (page) =>
      (!page.admin || viewer.isAdmin) &&
      !(page.notAdmin && viewer.isAdmin) &&
      (!page.module || modules.includes(page.module)) &&
      !(page.paid && billing === "off") &&
      hasOne(viewer, page.needs),
  );
}

/** Returns whether a member's permissions are enough for the page at this address. */
export function isOpenFor(viewer: Rights, pathname: string): boolean {
  const making = MAKING.find(([path]) => isCurrent(path, pathname));
  if (making) return viewer.may(making[1]);
  return hasOne(viewer, pageAt(pathname)?.needs);
}

/** Returns the module that is off and has the page at this address; null: the page is there. */
export function moduleOffAt(pathname: string, { modules }: Installation): Module | null {
  const part = PARTS.find(([path]) => isCurrent(path, pathname));
  const module = part?.[1] ?? pageAt(pathname)?.module;
  return module && !modules.includes(module) ? module : null;
}

function pageAt(pathname: string): Page | undefined {
  return SECTIONS.flatMap(({ pages }) => pages).find(({ path }) => isCurrent(path, pathname));
}

function hasOne(viewer: Rights, needs: readonly Permission[] | undefined): boolean {
  return !needs || needs.some((permission) => viewer.may(permission));
}

/** Returns whether the page at `path` is shown at this address. */
export function isCurrent(path: string, pathname: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}
