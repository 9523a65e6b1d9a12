import { ActionIcon, Button, Collapse, Group, SegmentedControl, TextInput, Tooltip } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconFilter, IconSearch, IconSortAscending, IconSortDescending, IconX } from "@tabler/icons-react";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "../../frame/i18n";
import type { ChoicesQuery } from "../../gql/graphql";
import { FilterMenu } from "./FilterMenu";
import { PeriodFilter } from "./PeriodFilter";
import {
  countFilters,
  DIRECT_CHANNELS,
  DIRECT_STATES,
  parseSearch,
  RECORD_CHANNELS,
  RECORD_STATES,
  type Search,
} from "./search";

interface Props {
  search: Search;
  choices: ChoicesQuery | undefined;
  total: ReactNode;
  onChange: (search: Search) => void;
}

export function Filters({ search, choices, total, onChange }: Props) {
  const { t } = useTranslation();
  const [opened, { toggle }] = useDisclosure(false);
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const count = countFilters(search);
  const set = (part: Partial<Search>) => onChange({ ...search, ...part });
  const direct = search.kind === "direct";
  const states = direct ? DIRECT_STATES : RECORD_STATES;
  const channels = direct ? DIRECT_CHANNELS : RECORD_CHANNELS;
  const named = (nodes: readonly { uuid: string; name: string }[] | undefined) =>
    (nodes ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }));

  const filters = (
    <Group gap={6}>
      <Recipient key={search.to} value={search.to} onChange={(to) => set({ to })} />
      <FilterMenu
        several
        label={t("messages.columns.state")}
        options={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        chosen={search.status}
        onChange={(status) => set({ status })}
      />
      <FilterMenu
        several
        label={t("messages.columns.channel")}
        options={channels.map((value) => ({ value, label: t(`channels.${value}`) }))}
        chosen={search.channel}
        onChange={(channel) => set({ channel })}
      />
      <FilterMenu
        label={t("messages.direction")}
        options={(["outbound", "inbound"] as const).map((value) => ({
          value,
          label: t(`messages.${value}`),
        }))}
        chosen={search.direction ? [search.direction] : []}
        onChange={([direction]) => set({ direction: (direction ?? null) as Search["direction"] })}
      />
      {direct ? (
        <FilterMenu
          label={t("messages.account")}
          options={named(choices?.accounts?.nodes)}
          chosen={search.account ? [search.account] : []}
          onChange={([account]) => set({ account: account ?? null })}
        />
      ) : (
        <FilterMenu
          label={t("messages.project")}
          options={named(choices?.sendingProjects?.nodes)}
          chosen={search.project ? [search.project] : []}
          onChange={([project]) => set({ project: project ?? null })}
        />
      )}
      {search.user && (
        <Button variant="light" rightSection={<IconX size={12} />} onClick={() => set({ user: null })}>
          {t("messages.ofUser")}
        </Button>
      )}
      {search.cause && (
        <Button
          variant="light"
          rightSection={<IconX size={12} />}
          aria-label={t("messages.withoutCause", { cause: search.cause })}
          onClick={() => set({ cause: null })}
        >
          {t("messages.cause", { cause: search.cause })}
        </Button>
      )}
      <PeriodFilter search={search} onChange={set} />
      {count > 0 && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() =>
            onChange({ ...parseSearch(new URLSearchParams()), kind: search.kind, order: search.order })
          }
        >
          {t("messages.clear")}
        </Button>
      )}
    </Group>
  );

  return (
    <>
      <Group justify="space-between" mb={8} gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t("messages.kind")}
          value={search.kind}
          onChange={(kind) =>
            onChange({
              ...parseSearch(new URLSearchParams()),
              kind: kind,
              to: search.to,
              range: search.range,
              order: search.order,
            })
          }
          data={(["direct", "project"] as const).map((value) => ({
            value,
            label: t(`messages.kinds.${value}`),
          }))}
        />
        <Group gap={6}>
          {total}
          {narrow && (
            <Button
              variant="default"
              leftSection={<IconFilter size={14} />}
              aria-expanded={opened}
              onClick={toggle}
            >
              {count > 0 ? t("messages.filtersSet", { count }) : t("messages.filters")}
            </Button>
          )}
          <OrderButton order={search.order} onChange={(order) => set({ order })} />
        </Group>
      </Group>
      {narrow ? <Collapse expanded={opened}>{filters}</Collapse> : filters}
    </>
  );
}

function OrderButton({
  order,
  onChange,
}: {
  order: Search["order"];
  onChange: (order: Search["order"]) => void;
}) {
  const { t } = useTranslation();
  const Icon = order === "desc" ? IconSortDescending : IconSortAscending;
  const label = t(order === "desc" ? "messages.newestFirst" : "messages.oldestFirst");
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        onClick={() => onChange(order === "desc" ? "asc" : "desc")}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

const TYPING_MS = 500;

/** Filters after a pause in typing, or at once with Enter. */
function Recipient({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only typing begins the pause again
  }, [text]);
  return (
    <TextInput
      size="xs"
      w={210}
      aria-label={t("messages.recipient")}
      placeholder={t("messages.recipient")}
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChange(text);
      }}
    />
  );
}
