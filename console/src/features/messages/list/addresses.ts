import type { Row } from "./row";

const BLOCKABLE = /^(\+\d{5,17}|[^\s@]+@[^\s@]+)$/;

/** Returns the addresses of these messages, each once, in the order of the list. */
export function addressesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ address }) => address).filter(Boolean))];
}

/** Returns those that can be blocked: phones and email addresses. */
export function blockableOf(addresses: readonly string[]): string[] {
  return addresses.filter((address) => BLOCKABLE.test(address));
}
