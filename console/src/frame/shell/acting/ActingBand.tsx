import { Button } from "@mantine/core";
import { useState } from "react";
import { actFor, dismissEnded, endedOwner } from "../../api/owner";
import { useTranslation } from "../../i18n";
import { nameOf } from "../../rights";
import { useViewer } from "../../session";
import { Notice } from "../../ui/page/Notice";
import classes from "./acting.module.css";

/** Says on every page for whom this tab acts, and once that it does not act for somebody any more. */
export default function ActingBand() {
  const { t } = useTranslation();
  const { membership } = useViewer();
  const [ended, setEnded] = useState(endedOwner);
  if (!membership)
    return ended === null ? null : (
      <div className={classes.ended}>
        <Notice
          color="orange"
          message={t("acting.ended", { name: ended })}
          onDismiss={() => {
            dismissEnded();
            setEnded(null);
          }}
        />
      </div>
    );
  const name = nameOf(membership);
  return (
    <div className={classes.band} role="note" aria-label={t("acting.label")}>
      <span className={classes.text}>
        {t("acting.band", { name, role: t(`acting.roles.${membership.role}`) })}
      </span>
      <Button variant="default" size="compact-xs" onClick={() => actFor(null)}>
        {t("acting.back")}
      </Button>
    </div>
  );
}
