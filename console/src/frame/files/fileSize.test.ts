import { describe, expect, it } from "vitest";
import { fileSize } from "./fileSize";

describe("fileSize", () => {
  it("takes the unit that suits", () => {
    expect(fileSize(0, "en")).toBe("0 bytes");
    expect(fileSize(999, "en")).toBe("999 bytes");
    expect(fileSize(1000, "en")).toBe("1 kB");
    expect(fileSize(1536, "en")).toBe("1.5 kB");
    expect(fileSize(25_000_000, "en")).toBe("25 MB");
  });
});
