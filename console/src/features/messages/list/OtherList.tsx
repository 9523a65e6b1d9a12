import { Alert, Anchor } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { DirectTotal, RecordTotal } from "../documents";
import { directWhere, recordWhere, searchParams, type Search } from "../search";

/** Says that the other list has messages for the same filters. Whoever looks for a phone may not know of two lists. */
export function OtherList({ search }: { search: Search }) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const direct = search.kind === "direct";
  const ofDirect = useLoaded(DirectTotal, { where: directWhere(search, now) }, !direct);
  const ofRecords = useLoaded(RecordTotal, { where: recordWhere(search, now) }, direct);
  const count =
    (direct ? ofDirect.data?.messages?.totalCount : ofRecords.data?.messageRecords?.totalCount) ?? 0;
  if (count === 0) return null;
  return (
    <Alert color="blue" py={8} role="status">
      <Anchor component={Link} to={`/messages?${searchParams(search).toString()}`} size="sm">
        {t(direct ? "messages.alsoDirect" : "messages.alsoOfProjects", { count })}
      </Anchor>
    </Alert>
  );
}
