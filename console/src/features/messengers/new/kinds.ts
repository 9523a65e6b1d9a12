import { phoneIn } from "../../../frame/values/phone";
import type { EnabledDriversQuery, MessengerDriver, MessengerSource } from "../../../gql/graphql";

/** What somebody can choose to connect: a messenger, by a driver. */
export interface Kind {
  id: string;
  source: MessengerSource;
  driver: MessengerDriver;
  enabled: boolean;
}

// In the order in which they are offered. The sandbox is offered only where it is enabled.
const REAL: readonly [MessengerSource, MessengerDriver][] = [
  ["telegram", "telegram"],
  ["whatsapp", "whatsapp"],
  ["whatsapp", "whatsapp_cloud"],
];

type Enabled = NonNullable<EnabledDriversQuery["messengerDrivers"]>;

export function kindsOf(enabled: Enabled): Kind[] {
  const has = (source: MessengerSource, driver: MessengerDriver) =>
    enabled.some((item) => item.source === source && item.driver === driver);
  const real = REAL.map(([source, driver]) => ({
    id: driver.replace("_", "-"),
    source,
    driver,
    enabled: has(source, driver),
  }));
  const sandboxes = enabled
    .filter(({ driver }) => driver === "sandbox")
    .map(({ source, driver }) => ({ id: `sandbox-${source}`, source, driver, enabled: true }));
  return [...real, ...sandboxes].sort((item, other) => Number(other.enabled) - Number(item.enabled));
}

/** A name for the account in the API, if only a phone or a display name was given: letters and digits, at most 64. */
export function loginFrom(typed: string): string {
  return phoneIn(typed)?.replace("+", "") ?? typed.trim();
}
