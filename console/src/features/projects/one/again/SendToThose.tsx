import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconArrowForwardUp } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../../frame/api/errors";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useSeesContacts } from "../../../../frame/contacts/usePeople";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../../frame/values/format";
import classes from "../../projects.module.css";
import type { Project } from "../model";
import { MakeSegmentOfThose, SegmentOfThose, SizesOfThose } from "./documents";
import { addressOf, filterOf, nameOf, THOSE, type Those } from "./those";

/**
 * Leads from a finished project to the next one: a follow-up to those whom it did not reach, and segments of the contacts
 * who got it, did not answer, or whose mail came back.
 */
export function SendToThose({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const navigate = useNavigate();
  const { may, ownerUuid } = useViewer();
  const sees = useSeesContacts();
  const [busy, setBusy] = useState<Those | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { uuid, counts } = project;
  const inputOf = (those: Those) => ({
    filter: filterOf(those, uuid, counts.delivered + counts.read > 0),
  });
  const { data } = useLoaded(
    SizesOfThose,
    { silent: inputOf("silent"), reached: inputOf("reached"), bounced: inputOf("bounced") },
    !sees,
  );
  const missed = counts.failed + counts.skipped + counts.unknown;
  const rows = THOSE.map((those) => ({ those, size: data?.[those]?.size ?? 0 })).filter(
    ({ size }) => size > 0,
  );
  if (!may("projects:write") || (missed === 0 && rows.length === 0)) return null;

  async function send(those: Those) {
    setBusy(those);
    setProblem(null);
    const name = nameOf(project, t(`again.${those}`));
    const { data, error } = await client
      .mutation(MakeSegmentOfThose, { input: { name, ...inputOf(those) } })
      .toPromise();
    let segment = data?.createSegment?.uuid;
    if (!segment && error && problemOf(error).code === "segment_exists") {
      const where = { name: { eq: name }, ownerId: { eq: ownerUuid } };
      const there = await client
        .query(SegmentOfThose, { where }, { requestPolicy: "network-only" })
        .toPromise();
      segment = there.data?.segments?.nodes[0]?.uuid;
    }
    setBusy(null);
    if (segment) await navigate(addressOf(segment, project));
    else if (error) setProblem(problemOf(error));
  }

  return (
    <Paper p="sm" className={classes.onScreen}>
      <Title order={2} mb="xs">
        {t("again.title")}
      </Title>
      <Group gap={6}>
        {missed > 0 && (
          <Button
            variant="default"
            component={Link}
            to={`/projects/new?follow=${uuid}`}
            leftSection={<IconArrowForwardUp size={14} />}
          >
            {t("again.with", { those: t("again.missed"), number: format.number(missed) })}
          </Button>
        )}
        {may("contacts:write") &&
          rows.map(({ those, size }) => (
            <Button
              key={those}
              variant="default"
              loading={busy === those}
              disabled={busy !== null && busy !== those}
              onClick={() => void send(those)}
            >
              {t("again.with", { those: t(`again.${those}`), number: format.number(size) })}
            </Button>
          ))}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        {t("again.hint")}
      </Text>
      {problem && <ProblemNotice problem={problem} />}
    </Paper>
  );
}
