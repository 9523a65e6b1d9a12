import { Group, Text, TextInput } from "@mantine/core";
import { useRef, useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { withIdempotencyKey } from "../../frame/api/client";
import { problemOf, type Problem } from "../../frame/api/errors";
import { addDecimal, parseDecimal } from "../../frame/values/decimal";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import type { OneAccountQuery } from "../../gql/graphql";
import { CreditKey, type Credit } from "./creditKey";
import { FormDialog } from "./Dialogs";
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
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [confirming, setConfirming] = useState<Credit | null>(null);
  const key = useRef(new CreditKey()).current;
  const amount = parseDecimal(text);
  const valid = amount !== null && Number(amount) > 0;
  const money = (value: number) => format.exactMoney(value, account.currency);
  const reason = note.trim();

  function ask(event: SubmitEvent) {
    event.preventDefault();
    if (!valid) return;
    setProblem(null);
    setConfirming({ accountId: account.uuid, amount, ...(reason && { note: reason }) });
  }

  async function credit() {
    if (!confirming) return;
    const { data, error } = await client
      .mutation(CreditAccount, { input: confirming }, withIdempotencyKey(key.of(confirming)))
      .toPromise();
    if (error) setProblem(problemOf(error));
    else {
      key.booked();
      const balance = money(data?.creditAccount?.balance ?? addDecimal(account.balance, confirming.amount));
      onDone(t("accounts.credited", { amount: money(Number(confirming.amount)), balance }));
    }
  }

  if (confirming) {
    const values = {
      amount: money(Number(confirming.amount)),
      name: account.name,
      owner: account.owner?.email ?? "–",
      balance: money(addDecimal(account.balance, confirming.amount)),
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
        problem={problem}
        onConfirm={credit}
        onClose={() => setConfirming(null)}
      />
    );
  }
  return (
    <FormDialog
      title={t("accounts.creditTitle", { name: account.name })}
      action={t("accounts.creditNext")}
      busy={false}
      disabled={!valid}
      problem={null}
      onSubmit={ask}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("accounts.amount", { currency: account.currency })}
        placeholder="25.00"
        inputMode="decimal"
        value={text}
        error={text.trim() !== "" && !valid && t("accounts.amountWrong")}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label={t("accounts.reason")}
        description={t("accounts.reasonHint")}
        maxLength={256}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
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
