import { Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "../../../frame/i18n";
import { Condition } from "./Condition";
import {
  MOST_CONDITIONS,
  MOST_GROUPS,
  MOST_PARTS,
  NEW,
  partsOf,
  type Draft,
  type Group as Conditions,
} from "./model";
import type { Names } from "./useNames";
import classes from "./segments.module.css";

const PARTS_OF_NEW = 3; // a group, its condition, and that on a field

interface Props {
  groups: readonly Conditions[];
  names: Names;
  onChange: (groups: readonly Conditions[]) => void;
}

/** The groups of conditions: all of them must hold, and of the conditions in a group one is enough. */
export function Builder({ groups, names, onChange }: Props) {
  const { t } = useTranslation();
  const full = partsOf(groups) + PARTS_OF_NEW > MOST_PARTS;
  const last = groups.length === 1 && groups[0]?.length === 1;

  /** Replaces a group; one without conditions is gone. */
  function replace(index: number, group: Conditions) {
    onChange(group.length > 0 ? groups.with(index, group) : groups.toSpliced(index, 1));
  }

  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t("segments.allOf")}
      </Text>
      {groups.map((group, index) => (
        <fieldset key={index} className={classes.group}>
          <legend>{t("segments.group", { number: index + 1 })}</legend>
          <Stack gap="xs">
            {group.map((draft, place) => (
              <Condition
                key={place}
                label={t("segments.condition", { number: place + 1, group: index + 1 })}
                draft={draft}
                names={names}
                onChange={(part: Draft) => replace(index, group.with(place, part))}
                {...(!last && { onRemove: () => replace(index, group.toSpliced(place, 1)) })}
              />
            ))}
            <Group>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPlus size={14} />}
                disabled={full || group.length >= MOST_CONDITIONS}
                aria-label={t("segments.orOf", { number: index + 1 })}
                onClick={() => replace(index, [...group, NEW])}
              >
                {t("segments.or")}
              </Button>
            </Group>
          </Stack>
        </fieldset>
      ))}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          disabled={full || groups.length >= MOST_GROUPS}
          onClick={() => onChange([...groups, [NEW]])}
        >
          {t("segments.and")}
        </Button>
      </Group>
    </Stack>
  );
}
