import { graphql } from "../../../gql";

export const Providers = graphql(`
  query Providers {
    providers {
      name
      label
      about
      channels
      fields {
        name
        label
        about
        secret
        required
        example
        default
        choices
      }
    }
    systemRoutes {
      name
      channel
      driver
      label
      state
      enabled
      made
    }
  }
`);

export const SetUpProvider = graphql(`
  mutation SetUpProvider($input: NewProvider!) {
    setUpProvider(input: $input) {
      name
      channel
    }
  }
`);

export const TestProvider = graphql(`
  mutation TestProvider($input: ProviderTest!) {
    testProvider(input: $input) {
      sent
      result
      code
      reason
      providerMessageId
      seconds
    }
  }
`);

export const RemoveProvider = graphql(`
  mutation RemoveProvider($name: String!) {
    deleteSystemRoute(name: $name)
  }
`);
