import { phoneIn } from "../../../frame/values/phone";
import type { EnabledDriversQuery, MessengerDriver, MessengerSource } from "../../../gql/graphql";

/** What somebody can choose to connect: a messenger, by a driver. */
export interface Kind {
  id: string;
  source: MessengerSource;
  driver: MessengerDriver;
  enabled: boolean;
  /** the API's own texts, of drivers that are enabled: for one that the console does not know */
  label?: string;
  about?: string;
}

// In this order, these are offered even where they are not enabled. Any other, as the sandbox, needs to be enabled.
const REAL: readonly [MessengerSource, MessengerDriver][] = [
  ["telegram", "telegram"],
  ["whatsapp", "whatsapp"],
  ["whatsapp", "whatsapp_cloud"],
];

type Enabled = NonNullable<EnabledDriversQuery["messengerDrivers"]>;

export function kindsOf(enabled: Enabled): Kind[] {
  const find = (source: MessengerSource, driver: MessengerDriver) =>
    enabled.find((item) => item.source === source && item.driver === driver);
  const real = REAL.map(([source, driver]) => ({
    id: driver.replace("_", "-"),
    source,
    driver,
    enabled: Boolean(find(source, driver)),
    label: find(source, driver)?.label,
    about: find(source, driver)?.about,
  }));
  const others = enabled
    .filter(({ driver }) => !REAL.some(([, known]) => known === driver))
    .map((item) => ({ ...item, id: `${item.driver.replace("_", "-")}-${item.source}`, enabled: true }));
  return [...real, ...others].sort((item, other) => Number(other.enabled) - Number(item.enabled));
}

/** A name for the account in the API, if only a phone or a display name was given: letters and digits, at most 64. */
export function loginFrom(typed: string): string {
  return phoneIn(typed)?.replace("+", "") ?? typed.trim();
}
