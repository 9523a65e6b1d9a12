import { askEarly } from "../../frame/api/early";
import { Queue } from "../../frame/ui/figures/documents";
import type { Rights } from "../../frame/rights";
import type { AttentionQueryVariables } from "../../gql/graphql";
import { Active, Attention, Outcomes, Traffic } from "./documents";
import { periodOf, rangeOf, trafficOf } from "./range";

/** Asks for the numbers of the page before its code is there. What the page asks has to be the same, or it asks again. */
export function askOverview(rights: Rights, hasFeed: boolean): void {
  if (!rights.may("statistics:read")) return;
  const params = new URLSearchParams(location.search);
  const range = rangeOf(params.get("range"));
  void askEarly(Traffic, trafficOf(range, params.get("channel"), Date.now()));
  void askEarly(Outcomes, { from: periodOf(range, Date.now()).from });
  if (rights.may("projects:read")) void askEarly(Active, {});
  void askEarly(Attention, attentionFor(rights, hasFeed));
  void askEarly(Queue, {});
}

/** Returns what is asked for: everything of one's own, or the parts of an owner's data that a member may see. */
export function attentionFor(
  { isAdmin, membership, may }: Rights,
  hasFeed: boolean,
): AttentionQueryVariables {
  return {
    admin: isAdmin,
    // An administrator's own accounts are not everybody's.
    own: membership === null,
    accounts: membership !== null && may("accounts:read"),
    projects: may("projects:read"),
    approve: may("projects:approve"),
    messengers: may("messengers:read"),
    events: hasFeed && may("events:read"),
    tariff: may("tariffs:read"),
  };
}
