import "@mantine/core/styles/Switch.css";
import { Badge, Button, Group, Loader, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { useClient } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { MODULES } from "../../frame/installation";
import { PurposeChoice } from "../../frame/purpose/PurposeChoice";
import { firstBilling } from "../../frame/purpose/firstBilling";
import { useSession } from "../../frame/session";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { Narrow } from "../../frame/ui/page/Narrow";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import type { PurposesQuery } from "../../gql/graphql";
import { Purposes, SetPurposes } from "./documents";
import classes from "./system.module.css";
import { SystemFrame } from "./SystemFrame";

type Choice = NonNullable<PurposesQuery["purposes"]>;

const FOLLOWED_MS = 2_000; // until then another process may answer as before

export default function PurposePage() {
  return (
    <AdminOnly>
      <Purpose />
    </AdminOnly>
  );
}

/** What the installation is for, which switches modules, and whether messages cost money. */
function Purpose() {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(Purposes, {});
  const notice = useNotice();
  const choice = data?.purposes;
  return (
    <SystemFrame>
      <Narrow>
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        <Notice message={notice.message} onDismiss={notice.dismiss} />
        {!choice && loading && <Loader size="sm" aria-label={t("common.loading")} />}
        {choice && (
          <>
            {/* What another administrator has saved meanwhile replaces the form. */}
            <ChoiceForm
              key={choice.changedAt}
              choice={choice}
              onSaved={() => {
                notice.show(t("system.purpose.saved"));
                reload();
              }}
            />
            <Modules choice={choice} />
          </>
        )}
      </Narrow>
    </SystemFrame>
  );
}

function ChoiceForm({ choice, onSaved }: { choice: Choice; onSaved: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const { check } = useSession();
  const { purposesBySetting, billingBySetting, billingSince } = choice;
  const form = useRequestForm({
    initialValues: { purposes: choice.purposes, billing: choice.billing },
  });
  const { purposes, billing } = form.getValues();
  const isFirst = choice.changedAt === null && !billingBySetting;

  const save = form.sends(async (values) => {
    const input = {
      ...(!purposesBySetting && { purposes: values.purposes }),
      ...(!billingBySetting && { billing: values.billing }),
    };
    const { error } = await client.mutation(SetPurposes, { input }).toPromise();
    if (error) return error;
    onSaved();
    await check();
    setTimeout(() => void check(), FOLLOWED_MS);
  });

  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <Paper p="md">
          <PurposeChoice
            disabled={purposesBySetting}
            {...form.getInputProps("purposes")}
            onChange={(chosen) =>
              form.setValues({ purposes: chosen, ...(isFirst && { billing: firstBilling(chosen) }) })
            }
          />
          {purposesBySetting && <BySetting name="POSTERN_PURPOSE" />}
        </Paper>
        <Paper p="md">
          <Switch
            label={t("system.purpose.billing")}
            aria-label={t("system.purpose.billing")} // without the description
            description={t(`system.purpose.billings.${billing}`)}
            checked={billing === "prepaid"}
            disabled={billingBySetting}
            onChange={(event) =>
              form.setFieldValue("billing", event.currentTarget.checked ? "prepaid" : "off")
            }
          />
          {billingSince && billing === choice.billing && (
            <Text size="xs" c="dimmed" mt={6}>
              {t("system.purpose.since")} <Time value={billingSince} />
            </Text>
          )}
          {billingBySetting && <BySetting name="POSTERN_BILLING" />}
        </Paper>
        {form.problem && <ProblemNotice problem={form.problem} />}
        {!(purposesBySetting && billingBySetting) && (
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={form.busy}
              disabled={purposes === choice.purposes && billing === choice.billing}
              title={
                purposes === choice.purposes && billing === choice.billing ? t("common.unchanged") : undefined
              }
            >
              {t("common.save")}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Says which setting fixes a choice. */
function BySetting({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" mt="xs">
      {t("system.purpose.bySetting", { name })}
    </Text>
  );
}

function Modules({ choice }: { choice: Choice }) {
  const { t, language } = useTranslation();
  const listed = new Intl.ListFormat(language, { style: "long", type: "conjunction" });
  return (
    <Paper p="md">
      <Title order={2}>{t("system.purpose.modules")}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t("system.purpose.modulesText")}
      </Text>
      <ul className={classes.modules}>
        {MODULES.map((name) => {
          const use = choice.modules.find((module) => module.name === name);
          if (!use) return null;
          const { on, goingOn } = use;
          return (
            <li key={name}>
              <div>
                <Text size="sm" fw={500}>
                  {t(`system.purpose.names.${name}`)}
                </Text>
                <Text size="xs" c="dimmed" className={classes.about}>
                  {t(`modules.${name}`)}
                </Text>
                {goingOn.length > 0 && (
                  <Text size="xs" mt={2}>
                    {t(on ? "system.purpose.goingOn" : "system.purpose.goesOn", {
                      what: listed.format(goingOn),
                    })}
                  </Text>
                )}
              </div>
              <Badge flex="none" variant="light" color={on ? "teal" : "gray"} tt="none" fw={500} radius="sm">
                {t(on ? "system.purpose.on" : "system.purpose.off")}
              </Badge>
            </li>
          );
        })}
      </ul>
    </Paper>
  );
}
