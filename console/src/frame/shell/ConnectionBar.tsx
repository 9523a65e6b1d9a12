import { Alert, Button, Group } from "@mantine/core";
import { IconCloudOff, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n";
import { useConnection, useHealed } from "../api/connection";
import { checkVersion, useNewVersion } from "../api/newVersion";
import { useFormat } from "../values/format";

const PATIENCE_MS = 2_000; // a connection that is back sooner is not worth a word

const askForVersion = () => void checkVersion();

/** Says that what the page shows may be out of date, or that the page itself is. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const format = useFormat();
  const { reachable, live, freshAt } = useConnection();
  const lost = !reachable || live === "lost";
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [lost]);

  // A server that was away may be a new version. A tab that was hidden may not have noticed that it was away.
  const isOutdated = useNewVersion();
  useHealed(askForVersion);
  useEffect(() => {
    const shownAgain = () => {
      if (document.visibilityState === "visible") askForVersion();
    };
    document.addEventListener("visibilitychange", shownAgain);
    return () => document.removeEventListener("visibilitychange", shownAgain);
  }, []);

  const Icon = reachable ? IconPlugConnectedX : IconCloudOff;
  return (
    <div role="status" aria-live="polite">
      {shown && lost && (
        <Alert color={reachable ? "yellow" : "red"} icon={<Icon size={18} />} py={8} mb="sm">
          {t(reachable ? "connection.notLive" : "connection.unreachable", { time: format.clock(freshAt) })}
        </Alert>
      )}
      {isOutdated && (
        <Alert color="blue" icon={<IconRefresh size={18} />} py={8} mb="sm">
          <Group gap="xs" justify="space-between">
            {t("connection.newVersion")}
            <Button variant="default" size="compact-sm" onClick={() => window.location.reload()}>
              {t("errors.reload")}
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}
