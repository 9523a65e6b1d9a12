import type { Client } from "urql";
import { describe, expect, it } from "vitest";
import { conversationOf, moveConversation } from "./conversation";
import type { Message } from "../model";

const failed = { uuid: "m1", text: "Hello", replyTo: null, status: "errored" } as Message;

interface Request {
  input: { text: string; idempotencyKey: string };
  answer: (result: unknown) => void;
}

/** A client whose mutations are answered by the test. */
function fake() {
  const requests: Request[] = [];
  const mutation = (_document: unknown, { input }: Request) => ({
    toPromise: () => new Promise((answer) => requests.push({ input, answer })),
  });
  return { requests, client: { mutation } as unknown as Client };
}

function refusal(code: string) {
  return { error: { graphQLErrors: [{ message: "No.", extensions: { code } }] } };
}

describe("a failed message that is sent again", () => {
  it("is sent once, however often it is requested", async () => {
    const { client, requests } = fake();
    const conversation = conversationOf(client, "a", "one");
    const sent = conversation.sendAgain("thread", failed);
    await conversation.sendAgain("thread", failed);
    expect(requests).toHaveLength(1);
    requests[0]?.answer({
      data: { sendMessengerMessage: { uuid: "m2", at: "2026", chat: { uuid: "one" } } },
    });
    await sent;
    await conversation.sendAgain("thread", failed);
    expect(requests).toHaveLength(1);
    expect(conversation.state.get().repeated.has("m1")).toBe(true);
  });
  it("keeps its key if it may have been sent, and gets a new one after a refusal", async () => {
    const { client, requests } = fake();
    const conversation = conversationOf(client, "a", "two");
    const keys: (string | undefined)[] = [];
    for (const code of ["uncertain", "bad_value", "uncertain"]) {
      const sent = conversation.sendAgain("thread", failed);
      const last = requests.at(-1);
      keys.push(last?.input.idempotencyKey);
      last?.answer(refusal(code));
      await sent;
      const [entry] = conversation.state.get().outbox;
      if (entry) conversation.discard(entry);
    }
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[1]);
  });
});

describe("a person whose chat becomes known", () => {
  it("keeps what is being sent", () => {
    const { client } = fake();
    const before = conversationOf(client, "b", "@ada");
    void before.send("@ada", "Hello", [], null);
    moveConversation("b", "@ada", "chat");
    expect(conversationOf(client, "b", "chat")).toBe(before);
    expect(before.address).toBe("@ada");
  });
  it("gives it to the chat that was open before", async () => {
    const { client, requests } = fake();
    const chat = conversationOf(client, "c", "chat");
    const before = conversationOf(client, "c", "@ada");
    const sent = before.send("@ada", "Hello", [], null);
    moveConversation("c", "@ada", "chat");
    expect(chat.state.get().outbox).toHaveLength(1);
    requests[0]?.answer({
      data: { sendMessengerMessage: { uuid: "m", at: "2026", chat: { uuid: "chat" } } },
    });
    await sent;
    expect(chat.state.get().outbox).toHaveLength(0);
    expect(chat.state.get().messages.map(({ uuid }) => uuid)).toEqual(["m"]);
  });
});
