import { describe, expect, it } from "vitest";
import { makeFormat } from "./format";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const english = makeFormat("en-GB", "Europe/Berlin", () => NOW);
const russian = makeFormat("ru", "Europe/Berlin", () => NOW);
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("format", () => {
  it("writes the time of today without its day, in the viewer's zone", () => {
    expect(english.time("2026-06-01T06:05:00Z")).toBe("8:05");
    expect(english.time("2026-05-31T06:05:00Z")).toBe("31 May, 8:05");
    expect(english.time("2025-05-31T06:05:00Z")).toBe("31 May 2025");
  });

  it("writes prices with all their digits, and balances with two", () => {
    expect(english.money(0.001, "USD")).toBe("US$0.001");
    expect(english.money(99.995, "USD")).toBe("US$100.00");
    expect(plain(russian.money(1234.5, "RUB"))).toBe("1 234,50 ₽");
    expect(english.money(5, "not a currency")).toBe("5 not a currency");
  });

  it("writes durations in their largest units", () => {
    expect(english.duration(7.4)).toBe("7 secs");
    expect(english.duration(125)).toBe("2 mins");
    expect(english.duration(3 * 3600 + 120)).toBe("3 hrs 2 mins");
    expect(plain(russian.duration(125))).toBe("2 мин");
  });
});
