import {
  Alert,
  Anchor,
  Breadcrumbs,
  Button,
  Group,
  Loader,
  Paper,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { IconPencil, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { FilterOfSegment, PeopleOf } from "../../../frame/contacts/documents";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { useTopics } from "../../../frame/topics/useTopics";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { useFormat } from "../../../frame/values/format";
import type { PersonFragment, SegmentFilter } from "../../../gql/graphql";
import { Address } from "../Address";
import classes from "../contacts.module.css";
import { Conditions } from "./Conditions";
import { addressOf } from "./sending";

/** The people who are in a segment now. */
export default function SegmentPage() {
  const { uuid = "" } = useParams();
  const { t } = useTranslation();
  const { may } = useViewer();
  const { data, problem, loading, reload } = useLoaded(FilterOfSegment, { id: uuid });
  const { topics } = useTopics();
  const segment = data?.segment;
  usePageTitle(segment?.name ?? t("segments.title"));
  if (!segment) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (!problem || problem.code === "segment_not_found" || problem.code === "bad_id") {
      return <NotFound text={t("segments.notFound")} />;
    }
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/contacts" size="sm">
          {t("nav.contacts")}
        </Anchor>
        <Anchor component={Link} to="/contacts/segments" size="sm">
          {t("segments.title")}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={segment.name}>
        {may("contacts:write") && (
          <Button
            variant="default"
            component={Link}
            to={`/contacts/segments?edit=${uuid}`}
            leftSection={<IconPencil size={14} />}
          >
            {t("contacts.edit")}
          </Button>
        )}
        {may("projects:write") && (
          <Button
            component={Link}
            to={addressOf(uuid, segment.filter, topics)}
            leftSection={<IconSend size={14} />}
          >
            {t("segments.send")}
          </Button>
        )}
      </PageHead>
      <Conditions filter={segment.filter} />
      <People filter={segment.filter as SegmentFilter} />
    </Stack>
  );
}

/** How many contacts meet the conditions now, and all of them, page by page. */
function People({ filter }: { filter: SegmentFilter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const { data, problem, loading, reload } = useLoaded(PeopleOf, { input: { filter } });
  const [further, setFurther] = useState<readonly PersonFragment[]>([]);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Problem | null>(null);
  const found = data?.segmentPreview;
  if (problem && !found) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!found) return <Loader size="sm" aria-label={t("common.loading")} />;
  const { size, sample } = found;
  const people = [...sample, ...further];

  async function more() {
    setBusy(true);
    setRefused(null);
    const input = { filter, after: people.at(-1)?.uuid ?? null };
    const { data: next, error } = await client
      .query(PeopleOf, { input }, { requestPolicy: "network-only" })
      .toPromise();
    setBusy(false);
    if (next?.segmentPreview) setFurther([...further, ...next.segmentPreview.sample]);
    else if (error) setRefused(problemOf(error));
  }

  return (
    <Paper p="sm" aria-busy={loading || busy}>
      <Title order={2}>{t("segments.sizeNow", { count: size, number: format.number(size) })}</Title>
      {size === 0 ? (
        <Alert mt="xs">{t("segments.nobody")}</Alert>
      ) : (
        <Table verticalSpacing={6} mt={4} aria-label={t("segments.people")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("contacts.name")}</Table.Th>
              <Table.Th>{t("contacts.addresses")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {people.map(({ uuid, name, externalId, addresses }) => (
              <Table.Tr key={uuid}>
                <Table.Td className={classes.anywhere}>
                  <Anchor component={Link} to={`/contacts/${uuid}`} size="sm" fw={500}>
                    {name || externalId || addresses[0]?.address || t("contacts.nameless")}
                  </Anchor>
                </Table.Td>
                <Table.Td className={classes.anywhere}>
                  {[...new Set(addresses.map(({ address }) => address))].map((address) => (
                    <Address key={address}>{address}</Address>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {refused && <ProblemNotice problem={refused} onRetry={() => void more()} />}
      {size > people.length && (
        <Group mt="xs" gap="sm">
          <Button variant="default" loading={busy} onClick={() => void more()}>
            {t("contacts.more")}
          </Button>
          <Text size="xs" c="dimmed">
            {t("segments.shownOf", { number: format.number(people.length), of: format.number(size) })}
          </Text>
        </Group>
      )}
    </Paper>
  );
}
