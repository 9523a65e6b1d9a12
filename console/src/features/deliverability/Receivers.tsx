import { Alert, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { ChangeButton } from "../../frame/ui/dialogs/ChangeButton";
import { Question } from "../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { useFormat } from "../../frame/values/format";
import type { ReceiversQuery } from "../../gql/graphql";
import classes from "./deliverability.module.css";
import { DeleteReceiverRule, LiftReceiverPause, Receivers as Query } from "./documents";
import { ReceiverRuleDialog, type ReceiverRule } from "./ReceiverRuleDialog";

type Pause = NonNullable<ReceiversQuery["receiverPauses"]>[number];
type Opened = { what: "set"; rule: ReceiverRule | null } | { what: "remove"; rule: ReceiverRule };

const REFRESH_MS = 60_000;

/** The providers that are paused, and how fast each domain's emails go to each of them. */
export function Receivers() {
  const { t } = useTranslation();
  const { isAdmin: admin } = useViewer();
  const { data, problem, reload } = useLoaded(Query, {});
  const [opened, setOpened] = useState<Opened | null>(null);
  const [lifted, setLifted] = useState<Pause | null>(null);
  const notice = useNotice();
  useVisibleInterval(reload, REFRESH_MS);
  const rules = data?.receiverRules ?? [];
  const done = (text: string) => {
    setOpened(null);
    setLifted(null);
    notice.show(text);
    reload();
  };
  return (
    <>
      {data?.receiverPauses?.map((pause) => (
        <PauseAlert key={pause.uuid} pause={pause} onLift={admin ? () => setLifted(pause) : undefined} />
      ))}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {(admin || rules.length > 0) && (
        <Paper p="sm">
          <Notice message={notice.message} onDismiss={notice.dismiss} />
          <Group justify="space-between" mb="xs">
            <Title order={2}>{t("deliverability.rules.title")}</Title>
            {admin && (
              <Button
                variant="default"
                leftSection={<IconPlus size={14} />}
                onClick={() => setOpened({ what: "set", rule: null })}
              >
                {t("deliverability.rules.set")}
              </Button>
            )}
          </Group>
          {data && rules.length === 0 && (
            <Text size="sm" c="dimmed">
              {t("deliverability.rules.none")}
            </Text>
          )}
          {rules.length > 0 && <RuleTable rules={rules} admin={admin} onOpen={setOpened} />}
        </Paper>
      )}
      {opened?.what === "set" && (
        <ReceiverRuleDialog
          rule={opened.rule}
          onClose={() => setOpened(null)}
          onDone={() => done(t("deliverability.rules.wasSet"))}
        />
      )}
      {opened?.what === "remove" && (
        <Question
          title={t("deliverability.rules.removeTitle")}
          question={t("deliverability.rules.removeText", { domain: opened.rule.domain })}
          action={t("deliverability.rules.remove")}
          mutation={DeleteReceiverRule}
          variables={{ uuid: opened.rule.uuid }}
          onDone={() => done(t("deliverability.rules.removed"))}
          onClose={() => setOpened(null)}
        />
      )}
      {lifted && (
        <Question
          title={t("deliverability.pause.liftTitle")}
          question={t("deliverability.pause.liftText")}
          action={t("deliverability.pause.lift")}
          mutation={LiftReceiverPause}
          variables={{ uuid: lifted.uuid }}
          onDone={() => done(t("deliverability.pause.lifted"))}
          onClose={() => setLifted(null)}
        />
      )}
    </>
  );
}

/** A provider that refuses the sender, with its answer. */
function PauseAlert({ pause, onLift }: { pause: Pause; onLift: (() => void) | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const provider = t(`deliverability.providers.${pause.providerClass}`);
  return (
    <Alert color="orange" title={t("deliverability.pause.title", { provider, domain: pause.domain })}>
      <Text size="sm">{t("deliverability.pause.text", { time: format.time(pause.until) })}</Text>
      <Text size="sm" className={classes.anywhere}>
        {pause.answer}
      </Text>
      {onLift && (
        <Button mt="xs" variant="default" onClick={onLift}>
          {t("deliverability.pause.lift")}
        </Button>
      )}
    </Alert>
  );
}

interface TableProps {
  rules: readonly ReceiverRule[];
  admin: boolean;
  onOpen: (opened: Opened) => void;
}

function RuleTable({ rules, admin, onOpen }: TableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const number = (value: number | null) => (value === null ? "–" : format.number(value));
  return (
    <Table verticalSpacing={6} aria-label={t("deliverability.rules.title")} className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("deliverability.rules.domain")}</Table.Th>
          <Table.Th>{t("deliverability.rules.today")}</Table.Th>
          <Table.Th ta="right" className={classes.wide}>
            {t("deliverability.rules.inFlight")}
          </Table.Th>
          <Table.Th ta="right" className={classes.wide}>
            {t("deliverability.rules.perMinute")}
          </Table.Th>
          {admin && (
            <Table.Th>
              <span className="visually-hidden">{t("deliverability.rules.actions")}</span>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rules.map((rule) => (
          <Table.Tr key={rule.uuid}>
            <Table.Td className={classes.anywhere}>
              <Text size="sm" fw={500}>
                {rule.domain}
              </Text>
              <Text size="xs" c="dimmed">
                {rule.providerClass
                  ? t(`deliverability.providers.${rule.providerClass}`)
                  : t("deliverability.rules.each")}
                {!rule.pauses && ` · ${t("deliverability.rules.noPauses")}`}
              </Text>
            </Table.Td>
            <Table.Td>
              {rule.allowance === null
                ? "–"
                : t("deliverability.rules.allowance", { number: format.number(rule.allowance) })}
              {rule.used.map(({ providerClass, used }) => (
                <Text key={providerClass} size="xs" c="dimmed">
                  {t(`deliverability.providers.${providerClass}`)}: {format.number(used)}
                </Text>
              ))}
            </Table.Td>
            <Table.Td ta="right" className={classes.wide}>
              {number(rule.inFlight)}
            </Table.Td>
            <Table.Td ta="right" className={classes.wide}>
              {number(rule.perMinute)}
            </Table.Td>
            {admin && (
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <ChangeButton
                    label={t("deliverability.rules.change", { domain: rule.domain })}
                    onClick={() => onOpen({ what: "set", rule })}
                  />
                  <RemoveButton
                    label={t("deliverability.rules.removeOf", { domain: rule.domain })}
                    onClick={() => onOpen({ what: "remove", rule })}
                  />
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
