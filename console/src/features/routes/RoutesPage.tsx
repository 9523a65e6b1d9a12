import { Loader, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { ConfiguredRoutes } from "./documents";
import { Quality } from "./Quality";
import classes from "./routes.module.css";
import { RouteTable } from "./RouteTable";
import { Rules } from "./Rules";
import { TraceBox } from "./TraceBox";
import { useTrace } from "./useTrace";

const POLL_MS = 10_000;

/** Where an SMS would go; for administrators also the routes, and the rules by which SMS take them. */
export default function RoutesPage() {
  const { t } = useTranslation();
  const { isAdmin } = useViewer();
  const { again, ...trace } = useTrace();
  usePageTitle(t("nav.routes"));
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.routes")} about={t(isAdmin ? "routes.about" : "routes.aboutTrace")} />
      {isAdmin ? (
        <Installation onChanged={again}>
          <TraceBox {...trace} />
        </Installation>
      ) : (
        <div className={classes.columns}>
          <TraceBox {...trace} />
        </div>
      )}
    </Stack>
  );
}

/** The routes and the rules of the installation. `onChanged` is called after a change of either. */
function Installation({ onChanged, children }: { onChanged: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(ConfiguredRoutes, {});
  const notice = useNotice();
  useVisibleInterval(reload, POLL_MS);
  const routes = data?.systemRoutes;
  const changed = (message: string) => {
    notice.show(message);
    reload();
    onChanged();
  };
  return (
    <>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!routes && loading && <Loader size="sm" aria-label={t("common.loading")} />}
      <div className={classes.columns}>
        {routes && <RouteTable routes={routes} onChanged={changed} />}
        {children}
      </div>
      <Quality />
      <Rules routes={routes?.filter(({ channel }) => channel === "sms")} onChanged={changed} />
    </>
  );
}
