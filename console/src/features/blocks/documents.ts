import { graphql } from "../../gql";

export const BlockPage = graphql(`
  query BlockPage($first: Int!, $after: String, $where: BlockedPhoneWhere) {
    blockedPhones(first: $first, after: $after, where: $where) {
      nodes {
        uuid
        phone
        reason
        scope
        expiresAt
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const BlockGroups = graphql(`
  query BlockGroups {
    blockedPhoneSummary {
      items {
        reason
        scope
        count
        newestAt
      }
    }
  }
`);

export const Block = graphql(`
  mutation Block($phone: String!, $input: BlockPhone) {
    blockPhone(phone: $phone, input: $input) {
      uuid
      phone
      reason
      scope
      expiresAt
      createdAt
    }
  }
`);

export const BlockPhones = graphql(`
  mutation BlockPhones($input: BlockMany!) {
    blockPhones(input: $input) {
      added
      changed
      unchanged
      nextLine
      invalid {
        place
        message
      }
    }
  }
`);

export const UnblockPhones = graphql(`
  mutation UnblockPhones($input: UnblockMany!) {
    unblockPhones(input: $input) {
      removed
    }
  }
`);

export const ReadBlockFile = graphql(`
  mutation ReadBlockFile($input: NewImport!) {
    importRecipients(input: $input) {
      uuid
    }
  }
`);

export const BlockFile = graphql(`
  query BlockFile($id: ID!) {
    recipientImport(id: $id) {
      uuid
      status
      statusReason
      total
      valid
      invalid
      rows(first: 5, where: { valid: { eq: false } }) {
        nodes {
          line
          error {
            message
          }
        }
      }
    }
  }
`);

export const ForgetBlockFile = graphql(`
  mutation ForgetBlockFile($id: ID!, $file: ID!) {
    deleteRecipientImport(id: $id)
    deleteFile(id: $file)
  }
`);
