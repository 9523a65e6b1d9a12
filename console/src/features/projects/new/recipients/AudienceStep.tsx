import {
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { CHANNELS } from "../../list/search";
import { EMPTY } from "../draft";
import { Added } from "./Added";
import { ChannelOfAudience } from "./ChannelOfAudience";
import { EarlierLists } from "./EarlierLists";
import { FollowedCard } from "./FollowedCard";
import { ImportResult } from "./ImportResult";
import { ListMapping } from "./ListMapping";
import { hasPasted, PasteList, takeBackPasted } from "./PasteList";
import { Senders } from "./Senders";
import { TopicAudience } from "./TopicAudience";
import { UploadFile } from "../../../../frame/lists/UploadFile";
import { useChangeParams } from "../../../../frame/search/useChangeParams";
import type { DraftState } from "../useDraft";
import { useNarrow } from "../../../../frame/ui/useNarrow";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
}

const WAYS = ["upload", "paste", "earlier", "topics"] as const;
type Way = (typeof WAYS)[number];
/** What belongs to a channel goes with it. */
const WITHOUT_PARTS = { accountUuids: [], attachmentUuids: [], template: null };

/** The first step: what the project is called, its channel, and who gets it. */
export function AudienceStep({ state, choices }: Props) {
  const { t } = useTranslation();
  const { draft, project, set } = state;
  const [params] = useSearchParams();
  const change = useChangeParams();
  const [way, setWay] = useState<Way>(() =>
    params.has("segment") || params.has("topic")
      ? "topics"
      : hasPasted() || params.has("sample")
        ? "paste"
        : "upload",
  );
  const narrow = useNarrow();
  const { may, uses } = useViewer();
  const byTopics = may("contacts:read") && uses("people");
  // A project has its recipients from topics, or from lists.
  const file = draft.audience ? null : params.get("file");
  const list = draft.audience ? null : params.get("list");
  const count = project?.recipients?.totalCount ?? 0;
  const shownWay = draft.audience ? "topics" : way;
  const ways = WAYS.filter((one) => one !== "topics" || draft.audience || (byTopics && count === 0));
  const allowed = choices?.tariff?.channels ?? CHANNELS;
  const follows = draft.audience?.follows;

  // The file and the list that are looked at are in the address, so a reload shows them again.
  const show = (part: { file?: string; list?: string }) =>
    change({ file: part.file ?? null, list: part.list ?? null });

  // The channel follows the addresses until somebody chooses one.
  const [chosen, setChosen] = useState(state.exists || draft.channel !== EMPTY.channel);
  function choose(channel: string | null) {
    setChosen(true);
    const selected = CHANNELS.find((item) => item === channel);
    if (!selected || selected === draft.channel) return;
    set({ channel: selected, ...WITHOUT_PARTS });
    readAgain();
  }
  const follow = useCallback(
    (channel: string) => {
      const selected = CHANNELS.find((item) => item === channel);
      if (selected) set({ channel: selected, ...WITHOUT_PARTS });
    },
    [set],
  );

  function chooseWay(next: Way) {
    setWay(next);
    if (next !== "topics" && draft.audience) set({ audience: null });
  }

  function chooseCategory(category: DraftState["draft"]["category"]) {
    // A project has topics of its own category alone.
    if (follows) {
      set({ category, audience: { topicUuids: [], follows } });
      return;
    }
    if (draft.audience) setWay("topics");
    const segment = params.get("segment");
    const alone = category === "transactional" && segment ? { segmentUuids: [segment] } : null;
    set({ category, ...((draft.audience || alone) && { audience: alone }) });
  }

  /** Puts a list away that was read for another channel: its rows say what that channel could not reach. */
  function readAgain() {
    if (list && file) show({ file });
    else if (list && takeBackPasted(list)) show({});
  }

  return (
    <Stack gap="sm">
      <Paper p="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t("making.name")}
            description={t("making.nameHint")}
            value={draft.name}
            maxLength={200}
            required
            error={draft.name.trim() ? undefined : t("making.needName")}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Select
            label={t("making.channel")}
            description={t(count > 0 ? "making.channelFixed" : "making.channelHint")}
            value={draft.channel}
            disabled={count > 0}
            allowDeselect={false}
            data={CHANNELS.filter((value) => allowed.includes(value)).map((value) => ({
              value,
              label: t(`channels.${value}`),
            }))}
            onChange={choose}
          />
        </SimpleGrid>
        <Switch
          mt="sm"
          label={t("making.promotional")}
          description={t("making.promotionalHint")}
          checked={draft.category === "promotional"}
          disabled={draft.audience !== null && count > 0}
          onChange={(event) => chooseCategory(event.currentTarget.checked ? "promotional" : "transactional")}
        />
        <Senders state={state} choices={choices} />
      </Paper>
      {project && count > 0 && <Added project={project} onChanged={state.reload} />}
      <Paper p="sm">
        <Title order={2} mb="xs">
          {t(count > 0 && !draft.audience ? "making.addMore" : "making.who")}
        </Title>
        {follows ? (
          <Stack gap="sm">
            <FollowedCard state={state} begun={count > 0} onOthers={() => chooseWay("upload")} />
            {count === 0 && (
              <ChannelOfAudience
                draft={draft}
                channels={CHANNELS.filter((value) => allowed.includes(value))}
                chosen={chosen}
                onChannel={follow}
              />
            )}
          </Stack>
        ) : draft.audience && count > 0 ? (
          <Text size="sm">{t("audience.wasRead")}</Text>
        ) : list ? (
          <ImportResult
            key={list}
            uuid={list}
            state={state}
            onAdded={() => show({})}
            onAgain={() => show(file ? { file } : {})}
            onOther={() => show({})}
          />
        ) : file ? (
          <ListMapping
            key={file}
            file={file}
            channel={draft.channel}
            channels={count > 0 ? [] : allowed}
            chosen={chosen}
            onChannel={chosen ? choose : follow}
            onRead={(uuid) => show({ file, list: uuid })}
            onOther={() => show({})}
          />
        ) : (
          <Stack gap="sm">
            <SegmentedControl
              aria-label={t("making.way")}
              fullWidth
              orientation={narrow ? "vertical" : "horizontal"}
              value={shownWay}
              onChange={chooseWay}
              data={ways.map((value) => ({ value, label: t(`making.ways.${value}`) }))}
            />
            {shownWay === "upload" && <UploadFile onUploaded={(uuid) => show({ file: uuid })} />}
            {shownWay === "paste" && (
              <PasteList channel={draft.channel} onRead={(uuid) => show({ list: uuid })} />
            )}
            {shownWay === "earlier" && <EarlierLists onChoose={(uuid) => show({ list: uuid })} />}
            {shownWay === "topics" && <TopicAudience state={state} />}
            {shownWay === "topics" && (
              <ChannelOfAudience
                draft={draft}
                channels={CHANNELS.filter((value) => allowed.includes(value))}
                chosen={chosen}
                onChannel={follow}
              />
            )}
            <Text size="xs" c="dimmed">
              {t("making.notYet")}
            </Text>
          </Stack>
        )}
      </Paper>
    </Stack>
  );
}
