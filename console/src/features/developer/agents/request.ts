import type { AgentRequest } from "../../../gql/graphql";

/** The request of an agent, which OAuth names in its own way in the query of the address. */
export function requestOf(params: URLSearchParams): AgentRequest {
  const optional = (name: string) => params.get(name) ?? undefined;
  return {
    clientId: params.get("client_id") ?? "",
    redirectUri: params.get("redirect_uri") ?? "",
    responseType: params.get("response_type") ?? "",
    codeChallenge: params.get("code_challenge") ?? "",
    codeChallengeMethod: params.get("code_challenge_method") ?? "",
    resource: optional("resource"),
    scope: optional("scope"),
    state: optional("state"),
  };
}
