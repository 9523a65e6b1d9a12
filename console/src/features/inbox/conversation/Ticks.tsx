import { IconAlertCircle, IconCheck, IconChecks, IconClock } from "@tabler/icons-react";
import { useTranslation } from "../../../frame/i18n";
import type { ChatMessageStatus } from "../../../gql/graphql";
import classes from "../inbox.module.css";

const ICONS = {
  sending: IconClock,
  pending: IconClock,
  server: IconCheck,
  delivered: IconChecks,
  has_seen: IconChecks,
  errored: IconAlertCircle,
} as const;

/** How far a message got: one tick for sent, two for delivered, colored ones for read; in words for screen readers. */
export function Ticks({ status }: { status: ChatMessageStatus | "sending" }) {
  const { t } = useTranslation();
  const Icon = ICONS[status];
  const label = t(`inbox.status.${status}`);
  return (
    <span className={classes.ticks} data-status={status} title={label}>
      <Icon size={14} stroke={1.8} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
