import { graphql } from "../../gql";

export const UserRow = graphql(`
  fragment UserRow on User {
    uuid
    email
    displayName
    status
    roles
    createdAt
  }
`);

export const UserPage = graphql(`
  query UserPage($first: Int!, $after: String, $where: UserWhere, $count: Boolean!) {
    users(first: $first, after: $after, where: $where) {
      nodes {
        ...UserRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount @include(if: $count)
    }
  }
`);

export const OneUser = graphql(`
  query OneUser($id: ID!) {
    user(id: $id) {
      ...UserRow
      tariff {
        code
        name
      }
      accounts(first: 20) {
        nodes {
          uuid
          name
          balance
          currency
          lowBalance
        }
        totalCount
      }
    }
  }
`);

export const TariffChoices = graphql(`
  query TariffChoices {
    tariffs(first: 100) {
      nodes {
        code
        name
      }
    }
  }
`);

export const Invite = graphql(`
  mutation Invite($input: Invite!) {
    inviteUser(input: $input) {
      userId
      token
      expiresAt
      mailed
    }
  }
`);

export const MakeUser = graphql(`
  mutation MakeUser($input: NewUser!) {
    createUser(input: $input) {
      uuid
    }
  }
`);

export const ChangeUser = graphql(`
  mutation ChangeUser($id: ID!, $input: UserPatch!) {
    updateUser(id: $id, input: $input) {
      ...UserRow
    }
  }
`);

export const Suspend = graphql(`
  mutation Suspend($id: ID!) {
    suspendUser(id: $id) {
      ...UserRow
    }
  }
`);

export const Activate = graphql(`
  mutation Activate($id: ID!) {
    activateUser(id: $id) {
      ...UserRow
    }
  }
`);

export const DeleteUser = graphql(`
  mutation DeleteUser($id: ID!) {
    deleteUser(id: $id)
  }
`);

export const GiveTariff = graphql(`
  mutation GiveTariff($code: String!, $user: UUID!) {
    setTariff(input: { code: $code, userUuid: $user }) {
      code
      name
    }
  }
`);

// The token is asked for once, whose it is; the console uses the cookie, which the login sets.
export const AcceptInvitation = graphql(`
  mutation AcceptInvitation($input: AcceptInvitation!) {
    acceptInvitation(input: $input) {
      accessToken
    }
  }
`);

export const CreateFirstUser = graphql(`
  mutation CreateFirstUser($input: FirstUser!) {
    createFirstUser(input: $input) {
      accessToken
    }
  }
`);

export const RequestPasswordReset = graphql(`
  mutation RequestPasswordReset($input: PasswordResetRequest!) {
    requestPasswordReset(input: $input)
  }
`);

export const ResetPassword = graphql(`
  mutation ResetPassword($input: NewPassword!) {
    resetPassword(input: $input)
  }
`);

export const InvitedUser = graphql(`
  query InvitedUser {
    me {
      email
      uuid
    }
  }
`);

export const EndInvitedLogin = graphql(`
  mutation EndInvitedLogin {
    logout
  }
`);
