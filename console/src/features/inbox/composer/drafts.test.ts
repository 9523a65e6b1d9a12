import { expect, it } from "vitest";
import { draftOf, keepDraft, moveDraft } from "./drafts";

it("keeps what was written to an address when the person's chat becomes known", () => {
  keepDraft("a", "+14155550100", { text: "Hello", replyTo: null });
  moveDraft("a", "+14155550100", "chat");
  moveDraft("a", "+14155550100", "chat");
  expect(draftOf("a", "chat").text).toBe("Hello");
  // The address stays open until the browser is at the chat.
  keepDraft("a", "+14155550100", { text: "Hello you", replyTo: null });
  expect(draftOf("a", "chat").text).toBe("Hello you");
  keepDraft("a", "chat", { text: "", replyTo: null });
  expect(draftOf("a", "+14155550100").text).toBe("");
});

it("joins it with what the chat's draft was", () => {
  keepDraft("b", "chat", { text: "First.", replyTo: null });
  keepDraft("b", "@ada", { text: "Second.", replyTo: null });
  moveDraft("b", "@ada", "chat");
  expect(draftOf("b", "chat").text).toBe("First.\nSecond.");
});
