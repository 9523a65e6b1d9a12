import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../i18n";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { problemOf, type Problem } from "../api/errors";
import { useSession } from "../session";

const Confirm = lazy(() => import("../ui/Confirm").then(({ Confirm }) => ({ default: Confirm })));

const LogoutEverywhere = graphql(`
  mutation LogoutEverywhere {
    logoutEverywhere
  }
`);

/** Asks, ends all logins of the user, and shows the login page. */
export function useLogoutEverywhere() {
  const { t } = useTranslation();
  const client = useClient();
  const session = useSession();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function run() {
    const { error } = await client.mutation(LogoutEverywhere, {}).toPromise();
    if (error) setProblem(problemOf(error));
    else await session.logout("everywhere");
  }

  const dialog = asking && (
    <Suspense>
      <Confirm
        opened
        title={t("account.everywhereTitle")}
        question={t("account.everywhereQuestion")}
        action={t("account.logoutEverywhere")}
        problem={problem}
        onConfirm={run}
        onClose={() => setAsking(false)}
      />
    </Suspense>
  );
  return {
    ask: () => {
      setProblem(null);
      setAsking(true);
    },
    dialog,
  };
}
