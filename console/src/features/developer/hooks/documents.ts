import { graphql } from "../../../gql";

export const HookSecrets = graphql(`
  query HookSecrets($first: Int!, $where: HookSecretWhere) {
    hookSecrets(first: $first, where: $where) {
      nodes {
        uuid
        kind
        hint
        createdAt
        createdBy
        lastUsedAt
        revokedAt
      }
    }
  }
`);

export const RotateHookSecret = graphql(`
  mutation RotateHookSecret {
    rotateHookSecret {
      secret
    }
  }
`);

export const CreateHookKey = graphql(`
  mutation CreateHookKey {
    createHookKey {
      secret
    }
  }
`);

export const RevokeHookSecret = graphql(`
  mutation RevokeHookSecret($id: ID!) {
    revokeHookSecret(id: $id) {
      uuid
    }
  }
`);

/** The members who may have made some of them. An owner has at most 100. */
export const HookMakers = graphql(`
  query HookMakers {
    members(first: 100, where: { joined: { eq: true } }) {
      nodes {
        userUuid
        email
      }
    }
  }
`);
