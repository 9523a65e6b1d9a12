import { useTranslation, type Key } from "./i18n";
import { useViewer } from "./session";

/** Says whether messages cost money. While they don't, prices and balances have no place in the console. */
export function useBilling(): "prepaid" | "off" {
  return useViewer().installation.billing;
}

/** Returns a function that names pages: that of the balances has another name while messages cost nothing. */
export function usePageNames(): (title: Key) => string {
  const { t } = useTranslation();
  const isFree = useBilling() === "off";
  return (title) => t(isFree && title === "nav.accounts" ? "nav.accountsFree" : title);
}
