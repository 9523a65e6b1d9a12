import { Alert } from "@mantine/core";
import { IconCloudOff, IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n";
import { useConnection } from "../api/connection";
import { useFormat } from "../values/format";

const PATIENCE_MS = 2_000; // a connection that is back sooner is not worth a word

/** Says that what the page shows may be out of date. */
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

  const Icon = reachable ? IconPlugConnectedX : IconCloudOff;
  return (
    <div role="status" aria-live="polite">
      {shown && lost && (
        <Alert color={reachable ? "yellow" : "red"} icon={<Icon size={18} />} py={8} mb="sm">
          {t(reachable ? "connection.notLive" : "connection.unreachable", { time: format.clock(freshAt) })}
        </Alert>
      )}
    </div>
  );
}
