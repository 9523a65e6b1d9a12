import { useQuery } from "urql";
import { graphql } from "../gql";
import { useTranslation, type Key } from "./i18n";

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

/** Returns a function that names pages: that of the balances has another name while messages cost nothing. */
export function usePageNames(): (title: Key) => string {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  return (title) => t(isFree && title === "nav.accounts" ? "nav.accountsFree" : title);
}
