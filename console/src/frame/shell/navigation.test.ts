import { describe, expect, it } from "vitest";
import type { Module, Purpose } from "../../gql/graphql";
import { UNCHOSEN, type Installation } from "../installation";
import type { Permission } from "../rights";
import { isOpenFor, moduleOffAt, navigationFor, pagesFor, type Visitor } from "./navigation";

/** The modules that each purpose switches on, as core/modules.py has them. */
const MODULES: Record<Purpose, Module[]> = {
  campaigns: ["people", "mail", "trade"],
  answers: ["messengers"],
  api: ["mail", "trade", "events"],
  resale: ["mail", "trade", "events"],
};

const installed = (...purposes: Purpose[]): Installation =>
  purposes.length === 0
    ? UNCHOSEN
    : {
        purposes,
        modules: [...new Set(purposes.flatMap((purpose) => MODULES[purpose]))],
        billing: purposes.includes("resale") ? "prepaid" : "off",
      };

const visitor = (installation: Installation, isAdmin = false): Visitor => ({
  isAdmin,
  membership: null,
  may: () => true,
  installation,
});

const member = (...permissions: Permission[]): Visitor => ({
  ...visitor(UNCHOSEN),
  may: (permission) => permissions.includes(permission),
});

const SUPPORT: Permission[] = ["messages:read", "messengers:read", "messengers:send", "blocks:read"];
const PURPOSES = Object.keys(MODULES) as Purpose[];
const SETS: Purpose[][] = [[], ...PURPOSES.map((one) => [one]), ["campaigns", "answers"], PURPOSES];
const mainOf = (who: Visitor) => navigationFor(who).main.map(({ path }) => path);
const moreOf = (who: Visitor) =>
  navigationFor(who).more.flatMap(({ pages }) => pages.map(({ path }) => path));

describe.each(SETS)("the menu for %s %s %s %s", (...purposes) => {
  const installation = installed(...purposes);
  const most = purposes.length === 1 ? 8 : 12;
  const visitors = {
    administrator: visitor(installation, true),
    user: visitor(installation),
    member: { ...member(...SUPPORT), installation },
  };

  it.each(Object.entries(visitors))("has at most as many main pages as it may, for each %s", (_, who) => {
    expect(mainOf(who).length).toBeLessThanOrEqual(most);
  });
  it.each(Object.entries(visitors))("has each page that is on once, for each %s", (_, who) => {
    const paths = [...mainOf(who), ...moreOf(who)];
    expect(paths.sort()).toEqual(
      pagesFor(who)
        .map(({ path }) => path)
        .sort(),
    );
  });
  it("has no page of a module that is off", () => {
    const off = pagesFor(visitors.administrator).filter(
      ({ module }) => module && !installation.modules.includes(module),
    );
    expect(off).toEqual([]);
  });
});

describe("the menu", () => {
  it("begins with what the purpose is about", () => {
    expect(mainOf(visitor(installed("campaigns")))).toEqual([
      "/",
      "/projects",
      "/templates",
      "/contacts",
      "/repeatable",
      "/messages",
      "/domains",
      "/deliverability",
    ]);
    expect(mainOf(visitor(installed("answers"))).slice(0, 3)).toEqual(["/", "/inbox", "/messengers"]);
    expect(mainOf(visitor(installed("api"))).slice(0, 3)).toEqual(["/", "/messages", "/developer"]);
    expect(mainOf(visitor(installed("resale"), true))).toContain("/users");
  });
  it("has the most important pages of each of several purposes", () => {
    const paths = mainOf(visitor(installed("campaigns", "answers"), true));
    expect(paths).toHaveLength(12);
    expect(paths).toEqual(expect.arrayContaining(["/projects", "/contacts", "/inbox", "/messengers"]));
  });
  it("has no tariffs while nothing costs anything", () => {
    const free = { ...installed("resale"), billing: "off" as const };
    const paths = (installation: Installation) =>
      pagesFor(visitor(installation, true)).map(({ path }) => path);
    expect(paths(installed("resale"))).toContain("/tariffs");
    expect(paths(free)).not.toContain("/tariffs");
    expect(mainOf(visitor(free, true))).not.toContain("/tariffs");
  });
  it("has nothing below “More” if all pages fit", () => {
    const who = member("messengers:read", "blocks:read");
    expect(mainOf(who)).toEqual(["/blocks", "/inbox", "/messengers", "/tokens", "/webhooks"]);
    expect(moreOf(who)).toEqual([]);
  });
});

describe("an address whose module is off", () => {
  it("is known, also if it is a part of a page that is never off", () => {
    const answers = installed("answers");
    expect(moduleOffAt("/contacts/topics", answers)).toBe("people");
    expect(moduleOffAt("/event-sinks", answers)).toBe("events");
    expect(moduleOffAt("/system/returned-mail", answers)).toBe("mail");
    expect(moduleOffAt("/tariffs/lists/1", answers)).toBe("trade");
    expect(moduleOffAt("/inbox", answers)).toBeNull();
    expect(moduleOffAt("/system", answers)).toBeNull();
    expect(moduleOffAt("/inbox/1/2", installed("api"))).toBe("messengers");
    expect(moduleOffAt("/contacts", UNCHOSEN)).toBeNull();
  });
});

describe("the pages of a member", () => {
  it("make nothing without the permission to write", () => {
    const reader = member("messengers:read", "events:read");
    expect(isOpenFor(reader, "/messengers/1")).toBe(true);
    expect(isOpenFor(reader, "/messengers/new")).toBe(false);
    expect(isOpenFor(reader, "/webhooks/new")).toBe(false);
    expect(isOpenFor(member("events:write"), "/webhooks/new")).toBe(true);
  });
});
