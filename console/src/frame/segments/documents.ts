import { graphql } from "../../gql";

// An owner has at most 200: the newest hundred and the oldest hundred are all of them.
export const SegmentChoices = graphql(`
  query SegmentChoices($where: SegmentWhere) {
    newest: segments(first: 100, where: $where) {
      nodes {
        uuid
        name
      }
    }
    oldest: segments(last: 100, where: $where) {
      nodes {
        uuid
        name
      }
    }
  }
`);
