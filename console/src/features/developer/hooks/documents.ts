import { graphql } from "../../../gql";

export const HookSecrets = graphql(`
  query HookSecrets($first: Int!, $where: HookSecretWhere) {
    hookSecrets(first: $first, where: $where) {
      nodes {
        uuid
        kind
        hint
        createdAt
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
