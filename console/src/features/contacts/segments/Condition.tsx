import { Checkbox, Group, MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import type { SegmentEvent } from "../../../gql/graphql";
import { CHANNELS } from "../search";
import { FieldParts } from "./FieldParts";
import { changedKind, EVENTS, KINDS, STATES, type Draft, type Kind } from "./model";
import type { Names } from "./useNames";
import classes from "./segments.module.css";

/** Lists of options open at once: a dialog that moves under them would be pressed elsewhere. */
const AT_ONCE = { transitionProps: { duration: 0 } };

interface PartsProps {
  draft: Draft;
  names: Names;
  set: (part: Partial<Draft>) => void;
}

interface Props {
  label: string;
  draft: Draft;
  names: Names;
  onChange: (draft: Draft) => void;
  /** absent: the only condition stays */
  onRemove?: () => void;
}

/** One condition on a contact. */
export function Condition({ label, draft, names, onChange, onRemove }: Props) {
  const { t } = useTranslation();
  const Parts = PARTS[draft.kind];
  return (
    <div role="group" aria-label={label} className={classes.condition}>
      <div className={classes.parts}>
        <Select
          label={t("segments.kind")}
          allowDeselect={false}
          comboboxProps={AT_ONCE}
          value={draft.kind}
          data={KINDS.map((value) => ({ value, label: t(`segments.kinds.${value}`) }))}
          onChange={(kind) => onChange(changedKind(draft, kind as Kind))}
        />
        <Parts draft={draft} names={names} set={(part) => onChange({ ...draft, ...part })} />
      </div>
      <Group justify="space-between" mt={6}>
        <Checkbox
          label={t("segments.not")}
          checked={draft.not}
          onChange={(event) => onChange({ ...draft, not: event.currentTarget.checked })}
        />
        {onRemove && <RemoveButton label={t("segments.remove", { label })} onClick={onRemove} />}
      </Group>
    </div>
  );
}

function TextParts({ draft, set }: PartsProps) {
  const { t } = useTranslation();
  const ofName = draft.kind === "name";
  return (
    <TextInput
      label={t(ofName ? "segments.words" : "segments.locales")}
      placeholder={ofName ? undefined : "de, pt-BR"}
      maxLength={100}
      value={draft.value}
      onChange={(event) => set({ value: event.currentTarget.value })}
    />
  );
}

function ChannelParts({ draft, set }: PartsProps) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      label={t("segments.channels")}
      comboboxProps={AT_ONCE}
      data={CHANNELS.map((value) => ({ value, label: t(`contacts.channels.${value}`) }))}
      value={draft.channels}
      onChange={(channels) => set({ channels: channels })}
    />
  );
}

function AddedParts(props: PartsProps) {
  const { t } = useTranslation();
  return <Days label={t("segments.days")} {...props} />;
}

function SubscriptionParts({ draft, names, set }: PartsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t("subscriptions.topic")}
        searchable
        allowDeselect={false}
        comboboxProps={AT_ONCE}
        data={names.topics}
        value={draft.topic}
        onChange={(topic) => set({ topic })}
      />
      <MultiSelect
        label={t("subscriptions.state")}
        comboboxProps={AT_ONCE}
        data={STATES.map((value) => ({ value, label: t(`subscriptions.states.${value}`) }))}
        value={draft.states}
        onChange={(states) => set({ states: states })}
      />
      <AnyChannel draft={draft} set={set} />
      <Days label={t("segments.changedDays")} placeholder={t("segments.anyTime")} draft={draft} set={set} />
    </>
  );
}

function HistoryParts({ draft, names, set }: PartsProps) {
  const { t } = useTranslation();
  const any = (values: readonly string[]) => (values.length === 0 ? t("segments.any") : undefined);
  return (
    <>
      <Select
        label={t("segments.event")}
        allowDeselect={false}
        comboboxProps={AT_ONCE}
        data={EVENTS.map((value) => ({ value, label: t(`segments.events.${value}`) }))}
        value={draft.event}
        onChange={(event) => set({ event: event as SegmentEvent })}
      />
      <Days label={t("segments.days")} draft={draft} set={set} />
      {names.projects.length > 0 && (
        <MultiSelect
          label={t("segments.projects")}
          placeholder={any(draft.projects)}
          searchable
          maxValues={20}
          comboboxProps={AT_ONCE}
          data={names.projects}
          value={draft.projects}
          onChange={(projects) => set({ projects })}
        />
      )}
      {names.topics.length > 0 && (
        <MultiSelect
          label={t("segments.topics")}
          placeholder={any(draft.topics)}
          searchable
          maxValues={10}
          comboboxProps={AT_ONCE}
          data={names.topics}
          value={draft.topics}
          onChange={(topics) => set({ topics })}
        />
      )}
      <AnyChannel draft={draft} set={set} />
    </>
  );
}

function AnyChannel({ draft, set }: Pick<PartsProps, "draft" | "set">) {
  const { t } = useTranslation();
  const channels = CHANNELS.map((value) => ({ value, label: t(`contacts.channels.${value}`) }));
  return (
    <Select
      label={t("contacts.channel")}
      allowDeselect={false}
      comboboxProps={AT_ONCE}
      data={[{ value: "any", label: t("segments.anyChannel") }, ...channels]}
      value={draft.channel ?? "any"}
      onChange={(channel) => set({ channel: CHANNELS.find((one) => one === channel) ?? null })}
    />
  );
}

interface DaysProps {
  label: string;
  placeholder?: string;
  draft: Draft;
  set: PartsProps["set"];
}

function Days({ label, placeholder, draft, set }: DaysProps) {
  return (
    <NumberInput
      label={label}
      placeholder={placeholder}
      min={1}
      max={366}
      allowDecimal={false}
      allowNegative={false}
      value={draft.days}
      onChange={(days) => set({ days })}
    />
  );
}

const PARTS: Record<Kind, (props: PartsProps) => React.ReactNode> = {
  field: FieldParts,
  name: TextParts,
  locale: TextParts,
  channel: ChannelParts,
  added: AddedParts,
  subscription: SubscriptionParts,
  history: HistoryParts,
};
