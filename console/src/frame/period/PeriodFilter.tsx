import { Button, Group, Popover, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { instantOf, localOf } from "../values/localTime";
import { useTranslation } from "../i18n";
import { useFormat } from "../values/format";
import { monthBefore, RANGES, type Period } from "./period";

interface Props {
  search: Period;
  onChange: (part: Period) => void;
}

const NAMES = Object.keys(RANGES) as (keyof typeof RANGES)[];

/** Chooses the last hours or days, or two times. */
export function PeriodFilter({ search, onChange }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [opened, { toggle, close }] = useDisclosure(false);
  const { range, from, until } = search;
  const label = range
    ? t(`period.ranges.${range as "1h"}`)
    : from || until
      ? `${from ? format.time(from) : "…"} – ${until ? format.time(until) : "…"}`
      : t("period.any");
  const custom = (part: { from?: string | null; until?: string | null }) =>
    onChange({ range: null, from, until, ...part });
  return (
    <Popover
      opened={opened}
      onChange={close}
      position="bottom-start"
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          variant={range || from || until ? "light" : "default"}
          rightSection={<IconChevronDown size={14} />}
          fw={500}
          onClick={toggle}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" maw="calc(100vw - 1rem)" aria-label={t("period.name")}>
        <Stack gap="xs">
          <Group gap={6}>
            {NAMES.map((name) => (
              <Button
                key={name}
                variant={range === name ? "filled" : "default"}
                aria-pressed={range === name}
                onClick={() => {
                  onChange({ range: range === name ? null : name, from: null, until: null });
                  close();
                }}
              >
                {t(`period.ranges.${name}`)}
              </Button>
            ))}
            <Button
              variant="default"
              onClick={() => {
                onChange({ range: null, ...monthBefore(new Date()) });
                close();
              }}
            >
              {t("period.lastMonth")}
            </Button>
          </Group>
          <TextInput
            type="datetime-local"
            size="xs"
            label={t("period.from")}
            value={localOf(from)}
            onChange={(event) => custom({ from: instantOf(event.currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            size="xs"
            label={t("period.until")}
            value={localOf(until)}
            onChange={(event) => custom({ until: instantOf(event.currentTarget.value) })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
