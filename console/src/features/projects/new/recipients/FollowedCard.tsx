import { Anchor, Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useTranslation } from "../../../../frame/i18n";
import { TopicChoice } from "../../../../frame/topics/TopicChoice";
import { useTopics } from "../../../../frame/topics/useTopics";
import type { FollowedProjectInput } from "../../../../gql/graphql";
import { FollowedText } from "../../FollowedText";
import { FollowedProject } from "../documents";
import type { Draft } from "../draft";
import { refusedState, SCALES, secondsOf, spanOf, statesOf, type Followed } from "../follow";
import type { DraftState } from "../useDraft";

const AUTOMATIC = "automatic";
const A_DAY = 86_400;

interface Props {
  state: DraftState;
  /** whether it has recipients already, so that its audience stays as it is */
  begun: boolean;
  /** gives up the project that is followed */
  onOthers: () => void;
}

/** Which project the draft follows, when a message counts as one that did not arrive, and who of these people gets it. */
export function FollowedCard({ state, begun, onOthers }: Props) {
  const { t } = useTranslation();
  const { draft, set, problem } = state;
  const follows = draft.audience?.follows;
  const { data } = useLoaded(FollowedProject, { id: follows?.projectUuid ?? "" }, !follows);
  if (!follows) return null;
  const { until, within, projectUuid } = follows;
  const followed = data?.sendingProject;
  const project = followed ?? { uuid: projectUuid, name: t("following.another") };
  if (begun) {
    return (
      <Text size="sm">
        <FollowedText project={project} until={until ?? "accepted"} within={within ?? A_DAY} />
      </Text>
    );
  }
  const change = (part: Partial<FollowedProjectInput>) =>
    set(({ audience }) => ({
      audience: { ...audience, follows: { ...(audience?.follows ?? follows), ...part } },
    }));
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        <Intro project={project} />
      </Text>
      {followed && (
        <Group align="flex-start" gap="sm">
          <Select
            w={320}
            maw="100%"
            label={t("following.until")}
            description={t("following.untilHint", { channel: t(`channels.${followed.channel}`) })}
            inputWrapperOrder={["label", "input", "description", "error"]}
            allowDeselect={false}
            value={until ?? AUTOMATIC}
            error={refusedState(draft, problem)}
            data={[
              { value: AUTOMATIC, label: t("following.automatic") },
              ...statesOf(followed.channel).map((value) => ({
                value,
                label: t(`following.states.${value}`),
              })),
            ]}
            onChange={(value) =>
              change({ until: statesOf(followed.channel).find((one) => one === value) ?? null })
            }
          />
          <Within seconds={within ?? A_DAY} onChange={(seconds) => change({ within: seconds })} />
        </Group>
      )}
      {followed && <Topics state={state} followed={followed} />}
      {followed && (
        <Text size="sm" c="dimmed">
          {t(`following.addresses.${addressesOf(draft.channel, followed.channel)}`)}
        </Text>
      )}
      <Button variant="default" onClick={onOthers}>
        {t("following.others")}
      </Button>
      <Text size="xs" c="dimmed">
        {t("making.notYet")}
      </Text>
    </Stack>
  );
}

function Intro({ project }: { project: Pick<Followed, "uuid" | "name"> }) {
  const { t } = useTranslation();
  const [before, after] = t("following.intro", { name: "\n" }).split("\n");
  return (
    <>
      {before}
      <Anchor component={Link} to={`/projects/${project.uuid}`} size="sm">
        {project.name}
      </Anchor>
      {after}
    </>
  );
}

/** A number of minutes, hours or days. What is typed stays as it is; only a time that the API takes is kept. */
function Within({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(() => spanOf(seconds));
  const { count, scale } = typed;
  function type(next: typeof typed) {
    setTyped(next);
    const valid = secondsOf(next.count, next.scale);
    if (valid !== null) onChange(valid);
  }
  return (
    <div>
      <Group align="flex-end" gap={6}>
        <NumberInput
          w={110}
          label={t("following.within")}
          min={1}
          allowDecimal={false}
          clampBehavior="none"
          value={Number.isNaN(count) ? "" : count}
          error={secondsOf(count, scale) === null}
          onChange={(value) => type({ count: typeof value === "number" ? value : Number.NaN, scale })}
        />
        <Select
          w={130}
          aria-label={t("following.scale")}
          allowDeselect={false}
          value={scale}
          data={SCALES.map((value) => ({ value, label: t(`following.scales.${value}`) }))}
          onChange={(value) => type({ count, scale: SCALES.find((one) => one === value) ?? scale })}
        />
      </Group>
      <Text
        size="xs"
        mt={4}
        maw={260}
        {...(secondsOf(count, scale) === null ? { c: "red", role: "alert" } : { c: "dimmed" })}
      >
        {t(secondsOf(count, scale) === null ? "following.badSpan" : "following.withinHint")}
      </Text>
    </div>
  );
}

/** The topics to which people have agreed on the channel of the follow-up. */
function Topics({ state, followed }: { state: DraftState; followed: Followed }) {
  const { t } = useTranslation();
  const { draft, set } = state;
  const topics = useTopics();
  const fitting = topics.topics.filter(({ category }) => category === draft.category);
  const chosen = draft.audience?.topicUuids ?? [];
  if (fitting.length === 0) return null;
  const needed =
    draft.category === "promotional" &&
    chosen.length === 0 &&
    (followed.audience?.topicUuids.length ?? 0) > 0;
  return (
    <TopicChoice
      label={t("following.topics")}
      description={t("following.topicsHint", { channel: t(`channels.${draft.channel}`) })}
      rows={fitting}
      value={chosen}
      error={needed && t("following.needTopic", { name: followed.name })}
      onChange={(topicUuids) => set(({ audience }) => ({ audience: { ...audience, topicUuids } }))}
    />
  );
}

/** Returns where the addresses of the people come from. */
function addressesOf(channel: Draft["channel"], followed: Draft["channel"]) {
  if (channel === followed) return "same";
  return channel === "email" || channel === "push" ? channel : "phone";
}
