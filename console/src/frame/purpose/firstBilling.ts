import type { Billing, Purpose } from "../../gql/graphql";

/** The billing that the first choice of purposes brings along, as the server has it. */
export function firstBilling(purposes: readonly Purpose[]): Billing {
  return purposes.length > 0 && !purposes.includes("resale") ? "off" : "prepaid";
}
