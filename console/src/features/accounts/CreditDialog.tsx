import { Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { elsewhere, problemOf } from "../../frame/api/errors";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { addDecimal, parseDecimal } from "../../frame/values/decimal";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import type { OneAccountQuery } from "../../gql/graphql";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { CreditAccount } from "./documents";

interface Props {
  account: NonNullable<OneAccountQuery["account"]>;
  onClose: () => void;
  /** receives the notice to show afterwards */
  onDone: (notice: string) => void;
}

/** Asks for an amount and a reason, then whether it is really meant. */
export function CreditDialog({ account, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const form = useRequestForm({ initialValues: { amount: "", note: "" } });
  const [confirming, setConfirming] = useState<string | null>(null);
  // The same credit keeps its key, so trying again after a lost answer books nothing twice.
  const keys = useContentKey();
  const { amount: text, note } = form.getValues();
  const amount = parseDecimal(text);
  const valid = amount !== null && Number(amount) > 0;
  const money = (value: number) => format.exactMoney(value, account.currency);
  const reason = note.trim();

  if (confirming) {
    const values = {
      amount: money(Number(confirming)),
      name: account.name,
      owner: account.owner?.email ?? "–",
      balance: money(addDecimal(account.balance, confirming)),
    };
    const credit = async () => {
      const input = { accountId: account.uuid, amount: confirming, ...(reason && { note: reason }) };
      const { data, error } = await client.mutation(CreditAccount, { input }, keys.of(input)).toPromise();
      if (error) {
        // Sentences about the fields stand there, so the question makes room for them.
        if (!elsewhere(problemOf(error), Object.keys(form.getValues()))) setConfirming(null);
        return error;
      }
      keys.renew();
      const balance = data?.creditAccount?.balance;
      onDone(
        t("accounts.credited", {
          amount: values.amount,
          balance: balance === undefined ? values.balance : money(balance),
        }),
      );
    };
    return (
      <Confirm
        opened
        title={t("accounts.creditQuestion", values)}
        question={[
          t("accounts.creditText", values),
          reason ? t("accounts.creditReason", { reason }) : t("accounts.creditNoReason"),
        ].join(" ")}
        action={t("accounts.creditNow", values)}
        problem={form.problem}
        onConfirm={() => form.send(credit)}
        onClose={() => setConfirming(null)}
      />
    );
  }
  return (
    <FormDialog
      title={t("accounts.creditTitle", { name: account.name })}
      action={t("accounts.creditNext")}
      form={{ problem: null, busy: false, isDirty: form.isDirty }}
      disabled={!valid && t("accounts.needAmount")}
      onSubmit={form.onSubmit(() => {
        form.forget();
        if (valid) setConfirming(amount);
      })}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("accounts.amount", { currency: account.currency })}
        placeholder="25.00"
        inputMode="decimal"
        {...form.getInputProps("amount")}
        error={form.errors.amount ?? (text.trim() !== "" && !valid && t("accounts.amountWrong"))}
      />
      <TextInput
        label={t("accounts.reason")}
        description={t("accounts.reasonHint")}
        maxLength={256}
        {...form.getInputProps("note")}
      />
      <Group justify="space-between" role="status">
        <Text size="sm" c="dimmed">
          {t("accounts.balanceAfter")}
        </Text>
        <Text size="sm" fw={600}>
          {money(valid ? addDecimal(account.balance, amount) : account.balance)}
        </Text>
      </Group>
    </FormDialog>
  );
}
