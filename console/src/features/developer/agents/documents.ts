import { graphql } from "../../../gql";

/** Who asks for access, and what a person may give. */
export const ReviewAgent = graphql(`
  query ReviewAgent($input: AgentRequest!) {
    agentReview(input: $input) {
      clientName
      clientHost
      redirectHost
      local
      scopes
      available
      denyUrl
    }
  }
`);

export const LetAgentIn = graphql(`
  mutation LetAgentIn($input: AllowAgent!) {
    allowAgent(input: $input) {
      redirectUrl
    }
  }
`);

export const ConnectedAgentList = graphql(`
  query ConnectedAgentList {
    connectedAgents {
      items {
        tokenUuid
        clientName
        clientHost
        redirectHost
        scopes
        approvalAbove
        lastUsedAt
        createdAt
      }
    }
  }
`);
