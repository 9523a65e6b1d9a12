import { askEarly } from "../../frame/api/early";
import { Queue } from "../../frame/ui/figures/documents";
import { Active, Attention, Outcomes, Traffic } from "./documents";
import { periodOf, rangeOf, trafficOf } from "./range";

/** Asks for the numbers of the page before its code is there. What the page asks has to be the same, or it asks again. */
export function askOverview(isAdmin: boolean): void {
  const params = new URLSearchParams(location.search);
  const range = rangeOf(params.get("range"));
  void askEarly(Traffic, trafficOf(range, params.get("channel"), Date.now()));
  void askEarly(Outcomes, { from: periodOf(range, Date.now()).from });
  void askEarly(Active, {});
  void askEarly(Attention, { admin: isAdmin });
  void askEarly(Queue, {});
}
