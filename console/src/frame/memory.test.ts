import { beforeEach, describe, expect, it } from "vitest";
import { forgetAll, kept, keepFor } from "./memory";

class Storage {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? (this[key] as string) : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key);
  }
}

describe("kept", () => {
  beforeEach(() => {
    Object.defineProperty(globalThis, "sessionStorage", { value: new Storage(), configurable: true });
    forgetAll();
  });

  it("is there after the page was read again", () => {
    keepFor("ada");
    kept<string>("list").set("text", "+1415");
    keepFor("ada"); // each call of `kept` begins with no memory, as a page does
    expect(kept<string>("list").get("text")).toBe("+1415");
    expect(kept<string>("draft").get("text")).toBeUndefined();
    kept<string>("list").delete("text");
    expect(kept<string>("list").get("text")).toBeUndefined();
  });

  it("is forgotten by a logout, and by another user's login", () => {
    for (const leave of [forgetAll, () => keepFor("bob")]) {
      keepFor("ada");
      kept<string>("list").set("text", "+1415");
      leave();
      expect(kept<string>("list").get("text")).toBeUndefined();
    }
  });

  it("has a bound for each value and for their number", () => {
    const list = kept<string>("list");
    list.set("long", "x".repeat(1_000_001));
    for (let number = 0; number < 60; number++) list.set(`${number}`, "x");
    expect(list.get("long")).toHaveLength(1_000_001);
    expect(kept<string>("list").get("long")).toBeUndefined();
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith("postern-kept:"))).toHaveLength(50);
  });

  it("stays in memory if the storage is blocked", () => {
    Object.defineProperty(globalThis, "sessionStorage", {
      get: () => {
        throw new Error("blocked");
      },
      configurable: true,
    });
    keepFor("ada");
    const list = kept<string>("list");
    list.set("text", "+1415");
    expect(list.get("text")).toBe("+1415");
  });
});
