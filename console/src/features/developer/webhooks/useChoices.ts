import { useLoaded } from "../../../frame/api/useLoaded";
import { useViewer } from "../../../frame/session";
import { HookChoices } from "./documents";

/** What a webhook can be limited to, as far as the person may see it. */
export function useChoices() {
  const { may, uses } = useViewer();
  return useLoaded(HookChoices, {
    events: uses("events"),
    projects: may("projects:read"),
    accounts: may("accounts:read"),
    messengers: may("messengers:read"),
  }).data;
}
