import { askEarly } from "../../frame/api/early";
import { Queue } from "../../frame/ui/figures/documents";
import { Attention, Newcomer, Traffic } from "./documents";
import { rangeOf, trafficOf } from "./range";

/** Asks for the numbers of the page before its code is there. What the page asks has to be the same, or it asks again. */
export function askOverview(isAdmin: boolean): void {
  const params = new URLSearchParams(location.search);
  void askEarly(Traffic, trafficOf(rangeOf(params.get("range")), params.get("channel"), Date.now()));
  void askEarly(Attention, { admin: isAdmin });
  void askEarly(Queue, {});
  void askEarly(Newcomer, {});
}
