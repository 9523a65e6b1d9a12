import { Suspense, useState } from "react";
import { lazyFile } from "../api/consoleFiles";
import { useTranslation } from "../i18n";
import { useClient } from "urql";
import { graphql } from "../../gql";
import { problemOf, type Problem } from "../api/errors";
import { useSession } from "../session";
import { PageBoundary } from "../ui/page/PageBoundary";
import { Store, useStore } from "../store";

const Confirm = lazyFile(() => import("../ui/dialogs/Confirm").then(({ Confirm }) => ({ default: Confirm })));

const LogoutEverywhere = graphql(`
  mutation LogoutEverywhere {
    logoutEverywhere
  }
`);

// Several places ask for it, and one dialog answers.
const asking = new Store(false);

export function askLogoutEverywhere(): void {
  asking.set(true);
}

/** Asks, ends all logins of the user, and shows the login page. */
export function LogoutEverywhereDialog() {
  const { t } = useTranslation();
  const client = useClient();
  const session = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const opened = useStore(asking);
  const close = () => {
    setProblem(null);
    asking.set(false);
  };

  async function run() {
    const { error } = await client.mutation(LogoutEverywhere, {}).toPromise();
    if (error) {
      setProblem(problemOf(error));
      return;
    }
    asking.set(false);
    await session.logout("everywhere");
  }

  if (!opened) return null;
  return (
    <PageBoundary instead={null}>
      <Suspense>
        <Confirm
          opened
          title={t("account.everywhereTitle")}
          question={t("account.everywhereQuestion")}
          action={t("account.logoutEverywhere")}
          problem={problem}
          onConfirm={run}
          onClose={close}
        />
      </Suspense>
    </PageBoundary>
  );
}
