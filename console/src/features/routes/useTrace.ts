import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import type { MessageCategory, RouteForQuery, TraceRoute } from "../../gql/graphql";
import { RouteFor } from "./documents";

export type Trace = NonNullable<RouteForQuery["routeFor"]>;

interface Draft extends Record<string, unknown> {
  to: string;
  category: MessageCategory;
  sender: string;
}

/** The form that asks where a number goes, and the last answer. */
export function useTrace() {
  const client = useClient();
  const [answer, setAnswer] = useState<{ input: TraceRoute; trace: Trace } | null>(null);
  const form = useRequestForm<Draft>({
    mode: "controlled",
    initialValues: { to: "", category: "transactional", sender: "" },
  });

  async function load(input: TraceRoute) {
    const { data, error } = await client
      .query(RouteFor, { input }, { requestPolicy: "network-only" })
      .toPromise();
    setAnswer(data?.routeFor ? { input, trace: data.routeFor } : null);
    return error;
  }

  return {
    form,
    trace: answer?.trace ?? null,
    ask: form.sends(({ to, category, sender }) =>
      load({ to: to.trim(), category, sender: sender.trim() || null }),
    ),
    /** Asks once more for what is shown, as a rule or a route has changed. */
    again: () => {
      if (answer) void load(answer.input);
    },
  };
}
