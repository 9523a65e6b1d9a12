import { ActionIcon, Button, Group, NumberInput, SegmentedControl, Text } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import type { DraftState } from "../useDraft";
import { letterOf, shareOf, withoutVariant, withVariant } from "./variants";

interface Props {
  state: DraftState;
  variant: number;
  onVariant: (variant: number) => void;
}

const MOST = 10;

/** Several texts, of which each recipient gets one, by their weights. */
export function VariantBar({ state, variant, onVariant }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { draft, set } = state;
  const { variants } = draft;
  const chosen = variants[variant];

  function add() {
    const next = withVariant(draft);
    set(next);
    onVariant((next.variants?.length ?? 1) - 1);
  }
  if (!chosen) {
    return (
      <Group justify="flex-end">
        <Button variant="subtle" size="compact-xs" leftSection={<IconPlus size={12} />} onClick={add}>
          {t("making.tryVariants")}
        </Button>
      </Group>
    );
  }
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={t("making.variant")}
        value={String(variant)}
        onChange={(value) => onVariant(Number(value))}
        data={variants.map((_one, index) => ({
          value: String(index),
          label: `${letterOf(index)} ${format.percent(shareOf(variants, index))}`,
        }))}
      />
      <NumberInput
        size="xs"
        w={90}
        aria-label={t("making.weightOf", { variant: letterOf(variant) })}
        min={1}
        max={1000}
        allowDecimal={false}
        value={chosen.weight}
        onChange={(value) => {
          if (typeof value !== "number" || value < 1) return;
          set({
            variants: variants.map((item, index) => (index === variant ? { ...item, weight: value } : item)),
          });
        }}
      />
      <Text size="xs" c="dimmed">
        {t("making.weight")}
      </Text>
      {variants.length < MOST && (
        <ActionIcon variant="default" aria-label={t("making.addVariant")} onClick={add}>
          <IconPlus size={14} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="default"
        aria-label={t("making.removeVariant", { variant: letterOf(variant) })}
        onClick={() => {
          set(withoutVariant(draft, variant));
          onVariant(Math.max(0, variant - 1));
        }}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </Group>
  );
}
