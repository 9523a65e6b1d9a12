import {
  IconBan,
  IconLayoutDashboard,
  IconMail,
  IconRepeat,
  IconUsersGroup,
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

/** The pages of the navigation and of the command palette. A new feature adds its row here and its route in App.tsx. */
export const PAGES: readonly Page[] = [
  { path: "/", title: "nav.overview", icon: IconLayoutDashboard },
  { path: "/messages", title: "nav.messages", icon: IconMail },
  { path: "/projects", title: "nav.projects", icon: IconUsersGroup },
  { path: "/repeatable", title: "nav.repeatable", icon: IconRepeat },
  { path: "/blocks", title: "nav.blocks", icon: IconBan },
];

export function pagesFor(viewer: { isAdmin: boolean }): Page[] {
  return PAGES.filter((page) => !page.admin || viewer.isAdmin);
}

/** Returns whether the page at `path` is shown at this address. */
export function isCurrent(path: string, pathname: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}
