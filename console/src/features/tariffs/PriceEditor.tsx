import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import type { ProjectChannel } from "../../gql/graphql";
import { isPrice, rowProblem, type PriceRow } from "./prices";
import classes from "./tariffs.module.css";

interface Props {
  rows: PriceRow[];
  channels: readonly ProjectChannel[];
  onChange: (rows: PriceRow[]) => void;
}

/** A row for each currency, with a price for each channel. */
export function PriceEditor({ rows, channels, onChange }: Props) {
  const { t } = useTranslation();
  const set = (index: number, row: PriceRow) => onChange(rows.with(index, row));
  const problems = rows.map((_row, index) => rowProblem(rows, index, channels));
  return (
    <Stack gap="xs">
      {rows.map((row, index) => (
        <Group key={index} gap="xs" align="flex-end" className={classes.prices}>
          <TextInput
            w={84}
            label={t("tariffs.currency")}
            maxLength={3}
            value={row.currency}
            error={problems[index] !== null}
            onChange={(event) => set(index, { ...row, currency: event.currentTarget.value.toUpperCase() })}
          />
          {channels.map((channel) => {
            const price = row.prices[channel] ?? "";
            return (
              <TextInput
                key={channel}
                w={104}
                label={t(`channels.${channel}`)}
                aria-label={t("tariffs.priceOf", {
                  channel: t(`channels.${channel}`),
                  currency: row.currency,
                })}
                inputMode="decimal"
                placeholder={t("tariffs.notSent")}
                value={price}
                error={!isPrice(price)}
                onChange={(event) =>
                  set(index, { ...row, prices: { ...row.prices, [channel]: event.currentTarget.value } })
                }
              />
            );
          })}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t("tariffs.removeCurrency", { number: index + 1 })}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Text size="xs" c="var(--mantine-color-error)" role="status">
        {[...new Set(problems)].map((problem) => problem && t(`tariffs.wrongCurrency.${problem}`)).join(" ")}
      </Text>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...rows, { currency: "", prices: {} }])}
        >
          {t("tariffs.addCurrency")}
        </Button>
      </div>
    </Stack>
  );
}
