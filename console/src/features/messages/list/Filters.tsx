import { ActionIcon, Button, Collapse, Group, SegmentedControl, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter, IconSortAscending, IconSortDescending, IconX } from "@tabler/icons-react";
import { type ReactNode } from "react";
import { useTranslation } from "../../../frame/i18n";
import { SearchField } from "../../../frame/ui/SearchField";
import type { ChoicesQuery } from "../../../gql/graphql";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import { PeriodFilter } from "../../../frame/period/PeriodFilter";
import {
  countFilters,
  DIRECT_CHANNELS,
  DIRECT_STATES,
  parseSearch,
  REACTIONS,
  RECORD_CHANNELS,
  RECORD_STATES,
  type Search,
} from "../search";
import { useNarrow } from "../../../frame/ui/useNarrow";

interface Props {
  /** the lists between which one can choose */
  kinds: readonly Search["kind"][];
  search: Search;
  choices: ChoicesQuery | undefined;
  total: ReactNode;
  onChange: (part: Partial<Search>) => void;
}

export function Filters({ kinds, search, choices, total, onChange }: Props) {
  const { t } = useTranslation();
  const [opened, { toggle }] = useDisclosure(false);
  const narrow = useNarrow();
  const count = countFilters(search);
  const direct = search.kind === "direct";
  const states = direct ? DIRECT_STATES : RECORD_STATES;
  const channels = direct ? DIRECT_CHANNELS : RECORD_CHANNELS;
  const named = (nodes: readonly { uuid: string; name: string }[] | undefined) =>
    (nodes ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }));

  const filters = (
    <Group gap={6}>
      <SearchField label={t("messages.recipient")} value={search.to} onChange={(to) => onChange({ to })} />
      <FilterMenu
        several
        label={t("messages.columns.state")}
        options={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        chosen={search.status}
        onChange={(status) => onChange({ status })}
      />
      <FilterMenu
        several
        label={t("messages.columns.channel")}
        options={channels.map((value) => ({ value, label: t(`channels.${value}`) }))}
        chosen={search.channel}
        onChange={(channel) => onChange({ channel })}
      />
      <FilterMenu
        label={t("messages.direction")}
        options={(["outbound", "inbound"] as const).map((value) => ({
          value,
          label: t(`messages.${value}`),
        }))}
        chosen={search.direction ? [search.direction] : []}
        onChange={([direction]) => onChange({ direction: (direction ?? null) as Search["direction"] })}
      />
      {direct ? (
        <FilterMenu
          label={t("messages.account")}
          options={named(choices?.accounts?.nodes)}
          chosen={search.account ? [search.account] : []}
          onChange={([account]) => onChange({ account: account ?? null })}
        />
      ) : (
        <FilterMenu
          label={t("messages.project")}
          options={named(choices?.sendingProjects?.nodes)}
          chosen={search.project ? [search.project] : []}
          onChange={([project]) => onChange({ project: project ?? null })}
        />
      )}
      {!direct && (
        <FilterMenu
          label={t("messages.reaction")}
          options={REACTIONS.map((value) => ({ value, label: t(`messages.reactions.${value}`) }))}
          chosen={search.reaction ? [search.reaction] : []}
          onChange={([reaction]) => onChange({ reaction: REACTIONS.find((one) => one === reaction) ?? null })}
        />
      )}
      {search.user && (
        <Button variant="light" rightSection={<IconX size={12} />} onClick={() => onChange({ user: null })}>
          {t("messages.ofUser")}
        </Button>
      )}
      {search.cause && (
        <Button
          variant="light"
          rightSection={<IconX size={12} />}
          aria-label={t("messages.withoutCause", { cause: search.cause })}
          onClick={() => onChange({ cause: null })}
        >
          {t("messages.cause", { cause: search.cause })}
        </Button>
      )}
      {(search.clicked || search.link) && (
        <Button
          variant="light"
          rightSection={<IconX size={12} />}
          aria-label={t("messages.withoutClicks")}
          onClick={() => onChange({ clicked: null, link: null })}
        >
          {t(search.clicked === "machine" ? "messages.clickedMachine" : "messages.clicked")}
        </Button>
      )}
      <PeriodFilter search={search} onChange={onChange} />
      {count > 0 && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() =>
            onChange({ ...parseSearch(new URLSearchParams()), kind: search.kind, order: search.order })
          }
        >
          {t("filters.clear")}
        </Button>
      )}
    </Group>
  );

  return (
    <>
      <Group justify="space-between" mb={8} gap="xs">
        {kinds.length > 1 ? (
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
            data={kinds.map((value) => ({
              value,
              label: t(`messages.kinds.${value}`),
            }))}
          />
        ) : (
          <span />
        )}
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
          <OrderButton order={search.order} onChange={(order) => onChange({ order })} />
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
