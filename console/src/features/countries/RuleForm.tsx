import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import { Button, Group, MultiSelect, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { CountryRuleFieldsFragment, CountryRuleScope } from "../../gql/graphql";
import classes from "./countries.module.css";
import { SaveCountryRules } from "./documents";
import { useCountryNames } from "../../frame/values/useCountryNames";

interface Props {
  title: string;
  text: string;
  rule: CountryRuleFieldsFragment;
  scope: CountryRuleScope;
  user: string | null;
  onSaved: () => void;
}

const count = (text: string) => (text.trim() === "" ? null : Number(text.replace(/[\s\u00a0\u202f]/g, "")));
const isCount = (text: string) => {
  const number = count(text);
  return number === null || (Number.isInteger(number) && number > 0 && number <= 2_000_000_000);
};

/** The lists and caps of one rule. */
export function RuleForm({ title, text, rule, scope, user, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const { options } = useCountryNames();
  const form = useRequestForm({
    mode: "controlled",
    initialValues: {
      allow: rule.allow ?? [],
      deny: rule.deny,
      perHour: rule.perHour?.toString() ?? "",
      perDay: rule.perDay?.toString() ?? "",
    },
    validate: {
      perHour: (value) => (isCount(value) ? null : t("countries.wrongCap")),
      perDay: (value) => (isCount(value) ? null : t("countries.wrongCap")),
    },
  });
  const save = form.sends(async ({ allow, deny, perHour, perDay }) => {
    const input = { scope, userUuid: user, allow, deny, perHour: count(perHour), perDay: count(perDay) };
    const { error } = await client.mutation(SaveCountryRules, { input }).toPromise();
    if (error) return error;
    form.resetDirty();
    onSaved();
  });
  return (
    <Paper p="sm" component="form" onSubmit={save} noValidate aria-label={title}>
      <Stack gap="sm">
        <div>
          <Title order={2}>{title}</Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        <MultiSelect
          label={t("countries.allow")}
          description={t("countries.allowText")}
          placeholder={form.getValues().allow.length === 0 ? t("countries.all") : undefined}
          data={options}
          searchable
          limit={100}
          nothingFoundMessage={t("countries.nothingFound")}
          {...form.getInputProps("allow")}
        />
        <MultiSelect
          label={t("countries.deny")}
          description={t("countries.denyText")}
          placeholder={form.getValues().deny.length === 0 ? t("countries.none") : undefined}
          data={options}
          searchable
          limit={100}
          nothingFoundMessage={t("countries.nothingFound")}
          {...form.getInputProps("deny")}
        />
        <div className={classes.pair}>
          <TextInput
            label={t("countries.perHour")}
            description={t("countries.capText")}
            placeholder={t("countries.noCap")}
            inputMode="numeric"
            {...form.getInputProps("perHour")}
          />
          <TextInput
            label={t("countries.perDay")}
            description={t("countries.capText")}
            placeholder={t("countries.noCap")}
            inputMode="numeric"
            {...form.getInputProps("perDay")}
          />
        </div>
        {form.problem && <ProblemNotice problem={form.problem} />}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={form.busy}
            disabled={!form.isDirty()}
            title={!form.isDirty() ? t("common.unchanged") : undefined}
          >
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
