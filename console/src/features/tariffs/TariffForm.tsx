import "@mantine/core/styles/Checkbox.css";
import { Button, Checkbox, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/ProblemNotice";
import type { ProjectChannel, TariffFieldsFragment } from "../../gql/graphql";
import { SaveTariff } from "./documents";
import { LIMITS, parseLimit, type Limit } from "./limits";
import { PriceEditor } from "./PriceEditor";
import { CHANNELS, isPrice, priceRows, toPrices, type PriceRow } from "./prices";
import classes from "./tariffs.module.css";

interface Props {
  /** null for a new one */
  tariff: TariffFieldsFragment | null;
  onClose: () => void;
  onSaved: (code: string) => void;
}

const DEFAULTS: Record<Limit, number> = {
  messagesPerDay: 10_000_000,
  messagesPerMinute: 10_000_000,
  maxConcurrentProjects: 100,
  maxRecipientsPerProject: 10_000_000,
};

/** All of a tariff. What is saved counts from then on for all its users. */
export function TariffForm({ tariff, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [code, setCode] = useState(tariff?.code ?? "");
  const [name, setName] = useState(tariff?.name ?? "");
  const [open, setOpen] = useState(tariff?.public ?? false);
  const [channels, setChannels] = useState<ProjectChannel[]>(tariff?.channels ?? [...CHANNELS]);
  const [limits, setLimits] = useState<Record<Limit, string>>(
    () =>
      Object.fromEntries(LIMITS.map((limit) => [limit, String((tariff ?? DEFAULTS)[limit])])) as Record<
        Limit,
        string
      >,
  );
  const [rows, setRows] = useState<PriceRow[]>(() =>
    tariff ? priceRows(tariff.prices) : [{ currency: "USD", prices: {} }],
  );
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const pricesValid = rows.every(({ prices }) => Object.values(prices).every(isPrice));
  const limitsValid = LIMITS.every((limit) => parseLimit(limit, limits[limit]) !== null);
  const valid = code.trim() && name.trim() && pricesValid && limitsValid;

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (!valid) return;
    setBusy(true);
    setProblem(null);
    const numbers = Object.fromEntries(LIMITS.map((limit) => [limit, parseLimit(limit, limits[limit])]));
    const input = {
      code: code.trim(),
      name: name.trim(),
      public: open,
      channels: CHANNELS.filter((channel) => channels.includes(channel)),
      prices: toPrices(rows),
      ...numbers,
    };
    const { error } = await client.mutation(SaveTariff, { input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else onSaved(input.code);
  }

  const fields = problem?.fields ?? {};
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <Paper p="sm">
          <Stack gap="sm">
            <div className={classes.pair}>
              <TextInput
                label={t("tariffs.name")}
                maxLength={128}
                value={name}
                error={fields.name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              {tariff === null && (
                <TextInput
                  label={t("tariffs.code")}
                  description={t("tariffs.codeHint")}
                  maxLength={64}
                  value={code}
                  error={fields.code}
                  onChange={(event) => setCode(event.currentTarget.value)}
                />
              )}
            </div>
            <Checkbox
              label={t("tariffs.public")}
              description={t("tariffs.publicHint")}
              checked={open}
              onChange={(event) => setOpen(event.currentTarget.checked)}
            />
            <Checkbox.Group
              label={t("tariffs.channels")}
              value={channels}
              onChange={(chosen) => setChannels(CHANNELS.filter((channel) => chosen.includes(channel)))}
            >
              <Group gap="md" mt={6}>
                {CHANNELS.map((channel) => (
                  <Checkbox key={channel} value={channel} label={t(`channels.${channel}`)} />
                ))}
              </Group>
            </Checkbox.Group>
          </Stack>
        </Paper>
        <Paper p="sm">
          <Title order={2}>{t("tariffs.prices")}</Title>
          <Text size="xs" c="dimmed" mb="xs">
            {t("tariffs.pricesText")}
          </Text>
          <PriceEditor
            rows={rows}
            channels={CHANNELS.filter((channel) => channels.includes(channel))}
            onChange={setRows}
          />
        </Paper>
        <Paper p="sm">
          <Title order={2} mb="xs">
            {t("tariffs.limitsTitle")}
          </Title>
          <div className={classes.pair}>
            {LIMITS.map((limit) => (
              <TextInput
                key={limit}
                label={t(`tariffs.limits.${limit}`)}
                inputMode="numeric"
                value={limits[limit]}
                error={
                  fields[limit] ?? (parseLimit(limit, limits[limit]) === null && t("tariffs.limitWrong"))
                }
                onChange={(event) => setLimits({ ...limits, [limit]: event.currentTarget.value })}
              />
            ))}
          </div>
        </Paper>
        {problem && !fields.name && !fields.code && <ProblemNotice problem={problem} />}
        <Group justify="flex-end">
          {tariff && (
            <Text size="xs" c="dimmed">
              {t("tariffs.saveHint")}
            </Text>
          )}
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={!valid}>
            {t(tariff ? "common.save" : "tariffs.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
