import { graphql } from "../../../../gql";

/** How many contacts each segment would have. */
export const SizesOfThose = graphql(`
  query SizesOfThose($silent: PreviewSegment!, $reached: PreviewSegment!, $bounced: PreviewSegment!) {
    silent: segmentPreview(input: $silent) {
      size
    }
    reached: segmentPreview(input: $reached) {
      size
    }
    bounced: segmentPreview(input: $bounced) {
      size
    }
  }
`);

export const SegmentOfThose = graphql(`
  query SegmentOfThose($where: SegmentWhere) {
    segments(first: 1, where: $where) {
      nodes {
        uuid
      }
    }
  }
`);

export const MakeSegmentOfThose = graphql(`
  mutation MakeSegmentOfThose($input: NewSegment!) {
    createSegment(input: $input) {
      uuid
    }
  }
`);
