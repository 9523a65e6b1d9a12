import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import type { VersionTextsFragment } from "../../../gql/graphql";
import { SaveVersion } from "./documents";
import { draftOf, inputOf } from "./draft";

/** Makes a draft with the texts of a version. */
export function useNewDraft(
  template: string,
  version: VersionTextsFragment,
  onMade: (version: VersionTextsFragment) => void,
) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  return {
    busy,
    problem,
    make: async () => {
      setBusy(true);
      setProblem(null);
      const input = inputOf({ ...draftOf(version), name: "" });
      const { data, error } = await client.mutation(SaveVersion, { template, input }).toPromise();
      setBusy(false);
      if (error) setProblem(problemOf(error));
      else if (data?.saveTemplateVersion) onMade(data.saveTemplateVersion);
    },
  };
}
