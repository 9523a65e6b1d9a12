import { describe, expect, it } from "vitest";
import { containerOf, recordedOf } from "./containers";

const AT = new Date("2026-11-26T03:55:10Z");

describe("what a browser records", () => {
  it("is Opus in Ogg, then in WebM, then MP4", () => {
    expect(containerOf(() => true)?.type).toBe("audio/ogg");
    expect(containerOf((mime) => !mime.startsWith("audio/ogg"))?.type).toBe("audio/webm");
    expect(containerOf((mime) => mime.startsWith("audio/mp4"))?.type).toBe("audio/mp4");
    expect(containerOf(() => false)).toBeNull();
  });
  it.each([
    ["audio/ogg", "voice", "voice-20261126-0355.ogg"],
    ["audio/mp4", "file", "voice-20261126-0355.m4a"],
    ["audio/webm", "file", "voice-20261126-0355.webm"], // it is not a recording
  ])("of %s is sent as %s", async (type, kind, name) => {
    const container = containerOf((mime) => mime.startsWith(type));
    if (!container) throw new Error(type);
    const recorded = await recordedOf([new Blob(["noise"])], container, AT);
    expect([recorded.kind, recorded.file.name, recorded.file.type]).toEqual([kind, name, type]);
  });
});
