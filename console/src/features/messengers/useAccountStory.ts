import { useTranslation } from "../../frame/i18n";
import type { MessengerRowFragment } from "../../gql/graphql";
import { explains } from "./states";

type Told = Pick<MessengerRowFragment, "state" | "reason" | "reasonCode" | "source">;

export interface Story {
  headline: string;
  /** what the state means, or why it is so */
  why: string;
  /** what a person has to do next; "" if nothing */
  next: string;
}

/** Says in plain words why an account is as it is, and what to do. Reasons that are not known say so themselves. */
export function useAccountStory(): (account: Told) => Story {
  const { t, textOr } = useTranslation();
  return ({ state, reason, reasonCode, source }) => {
    const messenger = t(`channels.${source}`);
    const named = (text: string) => text.replaceAll("{{messenger}}", messenger);
    const why = textOr(`messengers.what.${state}`, reason ?? state);
    const next = textOr(`messengers.todo.${state}`, "");
    const headline = named(textOr(`messengers.headlines.${state}`, state));
    if (!explains(state, reasonCode)) return { headline, why: named(why), next: named(next) };
    return {
      headline,
      why: named(textOr(`messengers.reasons.${reasonCode}.why`, reason ?? why)),
      next: named(textOr(`messengers.reasons.${reasonCode}.next`, next)),
    };
  };
}
