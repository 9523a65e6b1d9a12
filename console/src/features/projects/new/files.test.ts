import { describe, expect, it } from "vitest";
import { fileSize } from "./files";

describe("fileSize", () => {
  it("takes the unit that suits", () => {
    expect(fileSize(0, "en")).toBe("0 byte");
    expect(fileSize(1023, "en")).toBe("1,023 byte");
    expect(fileSize(1536, "en")).toBe("1.5 kB");
    expect(fileSize(25 * 1024 * 1024, "en")).toBe("25 MB");
  });
});
