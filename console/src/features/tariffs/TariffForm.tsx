import "@mantine/core/styles/Checkbox.css";
import { Anchor, Button, Checkbox, Group, Paper, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { TariffFieldsFragment } from "../../gql/graphql";
import { OneTariff, SaveTariff } from "./documents";
import { draftOf, inputOf, isValid, patchOf, type Draft } from "./draft";
import { LIMITS, parseLimit } from "./limits";
import { PriceListPageQuery } from "./lists/documents";
import { PriceEditor } from "./PriceEditor";
import { CHANNELS } from "./prices";
import classes from "./tariffs.module.css";

interface Props {
  /** null for a new one */
  tariff: TariffFieldsFragment | null;
  onClose: () => void;
  onSaved: (code: string) => void;
}

/** All of a tariff. What is saved counts from then on for all its users. */
export function TariffForm({ tariff, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const isFree = useBilling() === "off";
  const [code, setCode] = useState("");
  const [taken, setTaken] = useState<TariffFieldsFragment | null>(null);
  // What was loaded when the form was opened: later changes of others are not undone.
  const [before] = useState(() => draftOf(tariff));
  const [draft, setDraft] = useState(before);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const { channels, limits } = draft;
  const { uses } = useViewer();
  const lists = useLoaded(PriceListPageQuery, { first: 100, after: null }, !uses("trade"));
  const fields = tariff ? patchOf(before, draft) : inputOf(draft);
  // The code alone would assign the tariff to the administrator.
  const changed = Object.keys(fields).length > 0;
  const valid = isValid(draft) && (tariff ? changed : code.trim() !== "");

  /** The server changes a tariff that exists already, so its code is looked up before. */
  async function findTaken(wanted: string): Promise<boolean> {
    const { data, error } = await client
      .query(OneTariff, { code: wanted }, { requestPolicy: "network-only" })
      .toPromise();
    const existing = data?.tariffs?.nodes.find((item) => item.code === wanted) ?? null;
    setTaken(existing);
    if (error) setProblem(problemOf(error));
    return Boolean(error ?? existing);
  }

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (!valid) return;
    setBusy(true);
    setProblem(null);
    const input = { code: tariff?.code ?? code.trim(), ...fields };
    if (tariff === null && (await findTaken(input.code))) {
      setBusy(false);
      return;
    }
    const { error } = await client.mutation(SaveTariff, { input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else onSaved(input.code);
  }

  const wrong = problem?.fields ?? {};
  const other = elsewhere(problem, ["name", ...(tariff ? [] : ["code"]), ...LIMITS]);
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <Paper p="sm">
          <Stack gap="sm">
            <div className={classes.pair}>
              <TextInput
                label={t("tariffs.name")}
                maxLength={128}
                value={draft.name}
                error={wrong.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
              {tariff === null && (
                <TextInput
                  label={t("tariffs.code")}
                  description={t("tariffs.codeHint")}
                  maxLength={64}
                  value={code}
                  error={taken ? <Taken tariff={taken} /> : wrong.code}
                  onChange={(event) => {
                    setCode(event.currentTarget.value);
                    setTaken(null);
                  }}
                />
              )}
            </div>
            <Checkbox
              label={t("tariffs.public")}
              description={t("tariffs.publicHint")}
              checked={draft.public}
              onChange={(event) => set({ public: event.currentTarget.checked })}
            />
            <Checkbox.Group
              label={t("tariffs.channels")}
              value={channels}
              onChange={(chosen) => set({ channels: CHANNELS.filter((channel) => chosen.includes(channel)) })}
            >
              <Group gap="md" mt={6}>
                {CHANNELS.map((channel) => (
                  <Checkbox key={channel} value={channel} label={t(`channels.${channel}`)} />
                ))}
              </Group>
            </Checkbox.Group>
          </Stack>
        </Paper>
        {!isFree && (
          <Paper p="sm">
            <Title order={2}>{t("tariffs.prices")}</Title>
            <Text size="xs" c="dimmed" mb="xs">
              {t("tariffs.pricesText")}
            </Text>
            <PriceEditor rows={draft.rows} channels={channels} onChange={(rows) => set({ rows })} />
            {uses("trade") && (
              <Select
                mt="sm"
                label={t("tariffs.priceList")}
                description={t("tariffs.priceListHint")}
                placeholder={t("tariffs.noPriceList")}
                data={(lists.data?.priceLists?.nodes ?? []).map(({ uuid, name, currency }) => ({
                  value: uuid,
                  label: `${name} (${currency})`,
                }))}
                value={draft.priceListId}
                error={wrong.priceListId}
                clearable
                searchable
                clearButtonProps={{ "aria-label": t("tariffs.noPriceList") }}
                onChange={(priceListId) => set({ priceListId })}
              />
            )}
          </Paper>
        )}
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
                error={wrong[limit] ?? (parseLimit(limit, limits[limit]) === null && t("tariffs.limitWrong"))}
                onChange={(event) => set({ limits: { ...limits, [limit]: event.currentTarget.value } })}
              />
            ))}
          </div>
        </Paper>
        {other && <ProblemNotice problem={other} />}
        <Group justify="flex-end">
          {tariff && (
            <Text size="xs" c="dimmed">
              {t("tariffs.saveHint")}
            </Text>
          )}
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={!valid}
            title={!valid ? t("common.fillForm") : undefined}
          >
            {t(tariff ? "common.save" : "tariffs.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Says whose code it is, and leads there. */
function Taken({ tariff }: { tariff: TariffFieldsFragment }) {
  const { t } = useTranslation();
  return (
    <>
      {t("tariffs.codeTaken", { name: tariff.name })}{" "}
      <Anchor component={Link} to={`/tariffs/${tariff.code}`} size="xs">
        {t("tariffs.codeTakenOpen")}
      </Anchor>
    </>
  );
}
