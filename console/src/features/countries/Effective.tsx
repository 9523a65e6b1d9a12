import { Alert, Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { Figure, Figures } from "../../frame/ui/figures/Figures";
import { useFormat } from "../../frame/values/format";
import type { CountryRuleFieldsFragment } from "../../gql/graphql";
import { useCountryNames } from "./useCountryNames";

/** What holds by the installation's rule and the user's. */
export function Effective({ rule }: { rule: CountryRuleFieldsFragment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const list = (codes: readonly string[]) => codes.map(nameOf).join(", ");
  const cap = (number: number | null) => (number === null ? t("countries.noCap") : format.number(number));
  return (
    <Paper p="sm">
      <Stack gap="xs">
        <Title order={2}>{t("countries.effective")}</Title>
        <Text size="sm" c="dimmed">
          {t("countries.effectiveText")}
        </Text>
        {rule.allow?.length === 0 && <Alert color="red">{t("countries.nothing")}</Alert>}
        <Figures>
          <Figure label={t("countries.allow")}>
            {rule.allow === null ? t("countries.all") : list(rule.allow) || "–"}
          </Figure>
          <Figure label={t("countries.deny")}>{list(rule.deny) || t("countries.none")}</Figure>
          <Figure label={t("countries.perHour")}>{cap(rule.perHour)}</Figure>
          <Figure label={t("countries.perDay")}>{cap(rule.perDay)}</Figure>
        </Figures>
      </Stack>
    </Paper>
  );
}
