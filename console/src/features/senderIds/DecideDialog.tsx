import { SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { SenderDecisionKind, SenderState } from "../../gql/graphql";
import { DecideSender, SameSenders } from "./documents";
import type { SenderIdRow } from "./useSenderIds";

interface Props {
  row: SenderIdRow;
  onClose: () => void;
  onDecided: (value: string, state: SenderState) => void;
}

interface Draft extends Record<string, unknown> {
  decision: SenderDecisionKind;
  reason: string;
}

/** An administrator approves or refuses a sender, and sees who else has the same. */
export function DecideDialog({ row, onClose, onDecided }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm<Draft>({
    initialValues: { decision: "approved", reason: "" },
    shown: ({ decision }) => (decision === "refused" ? ["decision", "reason"] : ["decision"]),
  });
  const { decision, reason } = form.getValues();

  const decide = form.sends(async (values) => {
    const input = {
      decision: values.decision,
      ...(values.decision === "refused" && { reason: values.reason.trim() }),
    };
    const { data, error } = await client.mutation(DecideSender, { id: row.uuid, input }).toPromise();
    if (!data?.decideSender) return error;
    onDecided(data.decideSender.value, data.decideSender.state);
  });

  return (
    <FormDialog
      title={t("senderIds.decideOf", { value: row.value })}
      form={form}
      onSubmit={decide}
      action={t(`senderIds.decisions.${decision}`)}
      disabled={decision === "refused" && !reason.trim()}
      onClose={onClose}
    >
      <Others row={row} />
      <SegmentedControl
        aria-label={t("senderIds.state")}
        {...form.getInputProps("decision")}
        data={(["approved", "refused"] as const).map((item) => ({
          value: item,
          label: t(`senderIds.decisions.${item}`),
        }))}
      />
      {decision === "refused" && (
        <TextInput
          label={t("senderIds.reason")}
          withAsterisk
          description={t("senderIds.reasonHint")}
          maxLength={500}
          {...form.getInputProps("reason")}
        />
      )}
    </FormDialog>
  );
}

/** Who asks, for which countries, and who else has a sender that is spelled the same. */
function Others({ row }: { row: SenderIdRow }) {
  const { t } = useTranslation();
  const { data } = useLoaded(SameSenders, { value: row.value });
  const others = data?.senders?.nodes.filter(({ uuid }) => uuid !== row.uuid) ?? [];
  const countries = row.countries.length > 0 ? row.countries.join(", ") : t("senderIds.allCountries");
  return (
    <Stack gap={2}>
      <Text size="sm">
        {t("senderIds.askedBy", { owner: row.owner?.email ?? "", kind: t(`senderIds.kinds.${row.kind}`) })}
      </Text>
      <Text size="sm">
        {t("senderIds.countries")}: {countries}
      </Text>
      {others.map(({ uuid, value, state, owner }) => (
        <Text key={uuid} size="sm" c="var(--console-warning)">
          {t("senderIds.alsoOf", { owner: owner?.email ?? "", value, state: t(`senderIds.states.${state}`) })}
        </Text>
      ))}
    </Stack>
  );
}
