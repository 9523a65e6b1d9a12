import { graphql } from "../../../gql";

export const InboxAnswer = graphql(`
  fragment InboxAnswer on CannedAnswer {
    uuid
    shortcut
    text
  }
`);

export const InboxAnswers = graphql(`
  query InboxAnswers($first: Int!, $after: String, $where: CannedAnswerWhere) {
    cannedAnswers(first: $first, after: $after, where: $where) {
      nodes {
        ...InboxAnswer
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const InboxNewAnswer = graphql(`
  mutation InboxNewAnswer($input: NewCannedAnswer!) {
    createCannedAnswer(input: $input) {
      ...InboxAnswer
    }
  }
`);

export const InboxChangeAnswer = graphql(`
  mutation InboxChangeAnswer($id: ID!, $input: CannedAnswerPatch!) {
    updateCannedAnswer(id: $id, input: $input) {
      ...InboxAnswer
    }
  }
`);

export const InboxDeleteAnswer = graphql(`
  mutation InboxDeleteAnswer($id: ID!) {
    deleteCannedAnswer(id: $id)
  }
`);
