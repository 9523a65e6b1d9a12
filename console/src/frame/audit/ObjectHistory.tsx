import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { ProblemNotice } from "../ui/page/ProblemNotice";
import { AuditTable } from "./AuditTable";
import { AuditPage } from "./documents";

const SHOWN = 10;

interface Props {
  id: string;
  /** whether the page has no title for it */
  titled?: boolean;
}

/** The newest entries of the audit about one object, with a link to all of them. */
export function ObjectHistory({ id, titled = true }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { data, problem, loading, reload } = useLoaded(AuditPage, {
    first: SHOWN,
    where: { objectId: { eq: id } },
    actors: may("users:read"),
  });
  const page = data?.auditEntries;
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  return (
    <Stack gap={6}>
      {titled && (
        <Title order={2} size="h4">
          {t("audit.history")}
        </Title>
      )}
      <AuditTable
        rows={page?.nodes ?? []}
        loading={loading}
        empty={t("audit.noHistory")}
        label={t("audit.history")}
        objects={false}
      />
      {page?.pageInfo.hasNextPage && (
        <Text size="sm">
          <Anchor component={Link} to={`/audit?object=${id}`}>
            {t("audit.wholeHistory")}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
