import { Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import { ApprovalRule } from "../documents";
import type { Rule } from "./rule";
import { RuleDialog } from "./RuleDialog";

/** Which projects need the decision of another person. The owner alone changes it. */
export function RuleCard() {
  const { t } = useTranslation();
  const { may, membership } = useViewer();
  const [params] = useSearchParams();
  const change = useChangeParams();
  const notice = useNotice();
  const { data, problem, reload } = useLoaded(ApprovalRule, {}, !may("projects:read"));
  const ruleText = useRuleText();
  const rule = data?.approvalRule;
  const writes = membership === null;
  if (!may("projects:read")) return null;
  return (
    <Paper p="sm" mt="xs">
      <Stack gap={6}>
        <Group justify="space-between">
          <Title order={2}>{t("approvalRule.title")}</Title>
          {writes && rule && (
            <Button variant="default" onClick={() => change({ rule: "1" }, true)}>
              {t("approvalRule.change")}
            </Button>
          )}
        </Group>
        <Notice message={notice.message} onDismiss={notice.dismiss} />
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        {!rule && !problem && <Loader size="sm" aria-label={t("common.loading")} />}
        {rule && (
          <Text size="sm" fw={500}>
            {ruleText(rule)}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t("approvalRule.about")} {t("approvalRule.who")}
        </Text>
      </Stack>
      {writes && rule && params.has("rule") && (
        <RuleDialog
          rule={rule}
          onClose={() => change({ rule: null }, true)}
          onSaved={() => {
            change({ rule: null }, true);
            notice.show(`${t("approvalRule.changed")} ${t("approvalRule.changedText")}`);
            reload();
          }}
        />
      )}
    </Paper>
  );
}

function useRuleText(): (rule: Rule) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  return ({ mode, aboveRecipients, aboveAmount, channels, categories, selfApproval }) => {
    const limits = [
      aboveRecipients === null
        ? ""
        : t("approvalRule.moreRecipients", {
            count: aboveRecipients,
            number: format.number(aboveRecipients),
          }),
      aboveAmount === null || isFree
        ? ""
        : t("approvalRule.moreAmount", { amount: format.number(aboveAmount) }),
    ].filter(Boolean);
    const names = [
      ...channels.map((channel) => t(`channels.${channel}`)),
      ...categories.map((category) => t(`message.categories.${category}`)),
    ];
    return [
      t(`approvalRule.now.${mode}`, { limits: limits.join(` ${t("approvalRule.or")} `) }),
      mode !== "off" && names.length > 0 ? t("approvalRule.only", { names: names.join(", ") }) : "",
      mode !== "off" && selfApproval ? t("approvalRule.selfNow") : "",
    ]
      .filter(Boolean)
      .join(" ");
  };
}
