import { useQuery } from "urql";
import { graphql } from "../gql";

export const InstallationBilling = graphql(`
  query InstallationBilling {
    installation {
      billing
    }
  }
`);

/** Says whether messages cost money. While they don't, prices and balances have no place in the console. */
export function useBilling(): "prepaid" | "off" {
  // An administrator hardly ever switches it, so that one answer a login is enough.
  const [{ data }] = useQuery({ query: InstallationBilling, requestPolicy: "cache-first" });
  return data?.installation?.billing ?? "prepaid";
}
