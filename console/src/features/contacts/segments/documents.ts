import { graphql } from "../../../gql";

export const SegmentRow = graphql(`
  fragment SegmentRow on Segment {
    uuid
    name
    filter
    size
    countedAt
  }
`);

export const SegmentPage = graphql(`
  query SegmentPage($first: Int!, $after: String, $where: SegmentWhere) {
    segments(first: $first, after: $after, where: $where) {
      nodes {
        ...SegmentRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const TrySegment = graphql(`
  query TrySegment($input: PreviewSegment!) {
    segmentPreview(input: $input) {
      size
      sample {
        uuid
        name
        addresses {
          address
        }
      }
    }
  }
`);

/** Projects that a condition may ask for: the newest, and those that it names already. */
export const SegmentProjects = graphql(`
  query SegmentProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {
    newest: sendingProjects(first: 50, where: $newest) {
      nodes {
        uuid
        name
      }
    }
    chosen: sendingProjects(first: 100, where: $chosen) @include(if: $any) {
      nodes {
        uuid
        name
      }
    }
  }
`);

export const CreateSegment = graphql(`
  mutation CreateSegment($input: NewSegment!) {
    createSegment(input: $input) {
      uuid
    }
  }
`);

export const UpdateSegment = graphql(`
  mutation UpdateSegment($id: ID!, $input: SegmentPatch!) {
    updateSegment(id: $id, input: $input) {
      uuid
    }
  }
`);

export const CountSegment = graphql(`
  mutation CountSegment($id: ID!) {
    countSegment(id: $id) {
      ...SegmentRow
    }
  }
`);

export const DeleteSegment = graphql(`
  mutation DeleteSegment($id: ID!) {
    deleteSegment(id: $id)
  }
`);
