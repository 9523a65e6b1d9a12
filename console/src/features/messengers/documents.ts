import { graphql } from "../../gql";

export const MessengerRowFields = graphql(`
  fragment MessengerRow on MessengerAccount {
    uuid
    source
    login
    name
    driver
    state
    reason
    reasonCode
    until
    attemptsLeft
    stateAt
    restriction
    restrictionReason
    restrictedAt
    restrictedUntil
    phone
    connectedPhone
    updatedAt
  }
`);

export const MessengerAccountPage = graphql(`
  query MessengerAccountPage($after: String, $where: MessengerAccountWhere, $admin: Boolean!) {
    messengerAccounts(first: 100, after: $after, where: $where, orderBy: { field: name, direction: asc }) {
      nodes {
        ...MessengerRow
        owner @include(if: $admin) {
          email
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const MessengerAccountCounts = graphql(`
  query MessengerAccountCounts {
    all: messengerAccounts(first: 1) {
      totalCount
    }
    working: messengerAccounts(first: 1, where: { state: { eq: working } }) {
      totalCount
    }
    login: messengerAccounts(
      first: 1
      where: { state: { in: [waitQr, waitPhone, waitCode, waitPassword, showCode] } }
    ) {
      totalCount
    }
    down: messengerAccounts(first: 1, where: { state: { in: [failed, loggedOut, blocked] } }) {
      totalCount
    }
    moving: messengerAccounts(first: 1, where: { state: { in: [starting, syncing, reconnecting] } }) {
      totalCount
    }
    stopped: messengerAccounts(first: 1, where: { state: { eq: stopped } }) {
      totalCount
    }
  }
`);

export const MessengerAccountsMoved = graphql(`
  subscription MessengerAccountsMoved {
    messengerAccountChanged {
      account {
        ...MessengerRow
      }
    }
  }
`);

export const OneMessengerAccount = graphql(`
  query OneMessengerAccount($id: ID!, $admin: Boolean!) {
    messengerAccount(id: $id) {
      ...MessengerRow
      wanted
      checkedAt
      proxy
      createdAt
      me {
        messengerId
        phone
        username
        firstName
        lastName
      }
      owner @include(if: $admin) {
        email
      }
    }
  }
`);

export const MessengerAccountMoved = graphql(`
  subscription MessengerAccountMoved($id: ID!) {
    messengerAccountChanged(id: $id) {
      account {
        ...MessengerRow
        wanted
        checkedAt
        proxy
        createdAt
        me {
          messengerId
          phone
          username
          firstName
          lastName
        }
      }
      qrCode {
        value
        expiresAt
        png
      }
      pairingCode {
        value
        expiresAt
      }
      at
    }
  }
`);

export const MessengerHistory = graphql(`
  query MessengerHistory($id: ID!) {
    messengerAccount(id: $id) {
      uuid
      stateChanges {
        state
        reason
        reasonCode
        until
        createdAt
      }
    }
  }
`);

export const EnabledDrivers = graphql(`
  query EnabledDrivers {
    messengerDrivers {
      source
      driver
      label
      about
    }
  }
`);

export const AddMessenger = graphql(`
  mutation AddMessenger($input: NewMessengerAccount!) {
    addMessengerAccount(input: $input) {
      uuid
    }
  }
`);

export const StartMessenger = graphql(`
  mutation StartMessenger($id: ID!) {
    startMessengerAccount(id: $id) {
      ...MessengerRow
    }
  }
`);

export const StopMessenger = graphql(`
  mutation StopMessenger($id: ID!) {
    stopMessengerAccount(id: $id) {
      ...MessengerRow
    }
  }
`);

export const ClearMessenger = graphql(`
  mutation ClearMessenger($id: ID!) {
    clearMessengerSession(id: $id) {
      ...MessengerRow
    }
  }
`);

export const LiftRestriction = graphql(`
  mutation LiftRestriction($id: ID!) {
    liftMessengerRestriction(id: $id) {
      ...MessengerRow
    }
  }
`);

export const DeleteMessenger = graphql(`
  mutation DeleteMessenger($id: ID!) {
    deleteMessengerAccount(id: $id)
  }
`);

export const SetMessengerPhone = graphql(`
  mutation SetMessengerPhone($id: ID!, $phone: String) {
    setMessengerPhone(id: $id, input: { phone: $phone }) {
      ...MessengerRow
    }
  }
`);

export const SolveChallenge = graphql(`
  mutation SolveChallenge($id: ID!, $code: String!) {
    solveMessengerChallenge(id: $id, input: { code: $code }) {
      ...MessengerRow
    }
  }
`);

export const GivePassword = graphql(`
  mutation GivePassword($id: ID!, $password: String!) {
    giveMessengerPassword(id: $id, input: { password: $password }) {
      ...MessengerRow
    }
  }
`);

export const UpdateMessenger = graphql(`
  mutation UpdateMessenger($id: ID!, $input: MessengerAccountPatch!) {
    updateMessengerAccount(id: $id, input: $input) {
      ...MessengerRow
      proxy
    }
  }
`);

export const RenewProxy = graphql(`
  mutation RenewProxy($id: ID!) {
    renewMessengerProxy(id: $id) {
      ...MessengerRow
      proxy
    }
  }
`);

export const SendMessengerTest = graphql(`
  mutation SendMessengerTest($id: ID!, $input: NewMessengerMessage!) {
    sendMessengerMessage(accountId: $id, input: $input) {
      uuid
      status
    }
  }
`);

/** The document of the configuration that the service itself reads. */
export const MessengerBehaviour = graphql(`
  query MessengerBehaviour($id: ID!) {
    messengerConfig(id: $id, name: "default") {
      config
      updatedAt
    }
  }
`);

export const SetMessengerBehaviour = graphql(`
  mutation SetMessengerBehaviour($id: ID!, $input: NewMessengerConfig!) {
    setMessengerConfig(id: $id, input: $input) {
      config
      updatedAt
    }
  }
`);

/** Whether projects can be sent from an account. */
export const SenderOfAccount = graphql(`
  query SenderOfAccount($id: ID!) {
    messengerAccount(id: $id) {
      uuid
      sourceAccounts(first: 1) {
        nodes {
          uuid
          login
        }
      }
    }
  }
`);
