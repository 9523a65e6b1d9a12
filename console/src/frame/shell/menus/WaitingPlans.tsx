import { Badge } from "@mantine/core";
import { useEffect } from "react";
import { graphql } from "../../../gql";
import { useLoaded } from "../../api/useLoaded";
import { useTranslation } from "../../i18n";
import { useStore } from "../../store";
import { useVisibleInterval } from "../../ui/useInterval";
import { decisions } from "../../waitingPlans";

const POLL_MS = 60_000;

const WaitingApprovals = graphql(`
  query WaitingApprovals {
    approvals(first: 1, where: { state: { eq: asked } }) {
      nodes {
        uuid
      }
      totalCount
    }
  }
`);

/** The number of plans that wait for a decision. It is read again after each decision of this tab. */
export default function WaitingPlans() {
  const { t } = useTranslation();
  const { data, reload } = useLoaded(WaitingApprovals, {});
  useVisibleInterval(reload, POLL_MS);
  const decided = useStore(decisions);
  useEffect(() => {
    if (decided > 0) reload();
  }, [decided, reload]);
  const count = data?.approvals?.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <Badge size="sm" radius="sm" variant="light" ms="auto" px={6} miw="max-content" tt="none">
      <span aria-hidden>{count}</span>
      <span className="visually-hidden">{t("shell.waiting", { count })}</span>
    </Badge>
  );
}
