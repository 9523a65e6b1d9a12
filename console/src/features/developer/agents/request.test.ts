import { expect, test } from "vitest";
import { requestOf } from "./request";

test("the names of OAuth become those of the API", () => {
  const query =
    "client_id=https%3A%2F%2Fa.example.com%2Fc.json&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb" +
    "&response_type=code&code_challenge=x&code_challenge_method=S256&state=a+b";
  expect(requestOf(new URLSearchParams(query))).toEqual({
    clientId: "https://a.example.com/c.json",
    redirectUri: "http://127.0.0.1:1/cb",
    responseType: "code",
    codeChallenge: "x",
    codeChallengeMethod: "S256",
    resource: undefined,
    scope: undefined,
    state: "a b",
  });
});

test("what is missing is empty, and the API says so", () => {
  expect(requestOf(new URLSearchParams("")).clientId).toBe("");
});
