import { describe, expect, it } from "vitest";
import { languagesFor, tagOf } from "./languages";

describe("a language", () => {
  const english = languagesFor("en");
  const russian = languagesFor("ru");
  it("is chosen by its name for the reader, in English, or in itself", () => {
    expect(tagOf("German", english)).toBe("de");
    expect(tagOf("немецкий", russian)).toBe("de");
    expect(tagOf("german", russian)).toBe("de");
    expect(tagOf(" deutsch ", english)).toBe("de");
    expect(tagOf("German (de)", english)).toBe("de");
    expect(tagOf("Brazilian Portuguese", english)).toBe("pt-BR");
  });
  it("may have any tag", () => {
    expect(tagOf("pt_br", english)).toBe("pt-BR");
    expect(tagOf("PT-br", english)).toBe("pt-BR");
    expect(tagOf("gsw-CH", english)).toBe("gsw-CH");
    expect(tagOf("Klingon", english)).toBeNull();
  });
});
