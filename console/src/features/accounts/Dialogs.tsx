import { Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling } from "../../frame/billing";
import { useRequestForm, type RequestForm } from "../../frame/form/useRequestForm";
import { parseDecimal } from "../../frame/values/decimal";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { AccountPatch, AccountRowFragment, Plan } from "../../gql/graphql";
import { ChangeAccount, Currencies, OpenAccount, SetLowBalance } from "./documents";
import { PLANS } from "./search";

export function OpenDialog({ onClose, onDone }: { onClose: () => void; onDone: (uuid: string) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const isFree = useBilling() === "off";
  // Another input is another account, so it has another key.
  const keys = useContentKey();
  const form = useRequestForm<Terms>({ initialValues: { name: "", plan: "free", currency: "USD" } });

  const open = form.sends(async (values) => {
    const input = trimmed(values);
    const { data, error } = await client.mutation(OpenAccount, { input }, keys.of(input)).toPromise();
    if (!data?.createAccount) return error;
    onDone(data.createAccount.uuid);
  });
  const { name, currency } = trimmed(form.getValues());

  return (
    <FormDialog
      title={t("accounts.openTitle")}
      action={t("accounts.open")}
      form={form}
      disabled={!name || !currency}
      onSubmit={open}
      onClose={onClose}
    >
      <Text size="sm">{t(isFree ? "accounts.openTextFree" : "accounts.openText")}</Text>
      <Fields form={form} currencyHint={isFree ? undefined : t("accounts.currencyHint")} />
    </FormDialog>
  );
}

type Terms = { name: string; plan: Plan; currency: string };

function trimmed({ name, plan, currency }: Terms): Terms {
  return { name: name.trim(), plan, currency: currency.trim().toUpperCase() };
}

function Fields({ form, currencyHint }: { form: RequestForm<Terms>; currencyHint: string | undefined }) {
  const { t, language } = useTranslation();
  const { data } = useLoaded(Currencies, { language });
  return (
    <>
      <TextInput
        data-autofocus
        label={t("accounts.name")}
        withAsterisk
        maxLength={128}
        {...form.getInputProps("name")}
      />
      <TextInput
        label={t("accounts.currency")}
        withAsterisk
        description={currencyHint}
        maxLength={3}
        list="account-currencies"
        {...form.getInputProps("currency")}
      />
      <datalist id="account-currencies">
        {data?.currencies?.map(({ code, name }) => (
          <option key={code} value={code} label={name} />
        ))}
      </datalist>
      <Select
        label={t("accounts.plan")}
        description={t("accounts.planHint")}
        allowDeselect={false}
        data={PLANS.map((value) => ({ value, label: t(`accounts.plans.${value}`) }))}
        {...form.getInputProps("plan")}
      />
    </>
  );
}

interface ChangeProps {
  account: AccountRowFragment;
  onClose: () => void;
  /** receives the notice to show afterwards */
  onDone: (notice: string) => void;
}

export function ChangeDialog({ account, onClose, onDone }: ChangeProps) {
  const { t } = useTranslation();
  const client = useClient();
  // What was shown when the dialog was opened: later changes of others are not undone.
  const [before] = useState(account);
  const { name, plan, currency } = before;
  const form = useRequestForm<Terms>({ initialValues: { name, plan, currency } });
  const terms = trimmed(form.getValues());
  const input: AccountPatch = {
    ...(terms.name !== name && { name: terms.name }),
    ...(terms.plan !== plan && { plan: terms.plan }),
    ...(terms.currency !== currency && { currency: terms.currency }),
  };

  const save = form.sends(async () => {
    const { error } = await client.mutation(ChangeAccount, { id: account.uuid, input }).toPromise();
    if (error) return error;
    onDone(t("accounts.changed"));
  });

  return (
    <FormDialog
      title={t("accounts.changeTitle")}
      action={t("common.save")}
      form={form}
      disabled={!terms.name || !terms.currency || (Object.keys(input).length === 0 && t("common.unchanged"))}
      onSubmit={save}
      onClose={onClose}
    >
      <Fields form={form} currencyHint={t("accounts.currencyFixed")} />
    </FormDialog>
  );
}

export function LowBalanceDialog({ account, onClose, onDone }: ChangeProps) {
  const { t } = useTranslation();
  const client = useClient();
  // What was shown when the dialog was opened: a later change of somebody else is not undone.
  const [before] = useState(account.lowBalance == null ? "" : String(account.lowBalance));
  const form = useRequestForm({ initialValues: { below: before } });
  const text = form.getValues().below;
  const below = parseDecimal(text);
  const wrong = text.trim() !== "" && (below === null || Number(below) === 0);

  const save = form.sends(async () => {
    const { error } = await client.mutation(SetLowBalance, { id: account.uuid, below }).toPromise();
    if (error) return error;
    onDone(t(below === null ? "accounts.lowRemoved" : "accounts.lowSet"));
  });

  return (
    <FormDialog
      title={t("accounts.lowTitle")}
      action={t("common.save")}
      form={form}
      disabled={(wrong && t("accounts.needNumber")) || (text.trim() === before && t("common.unchanged"))}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("accounts.lowLimit", { currency: account.currency })}
        description={t("accounts.lowHint")}
        inputMode="decimal"
        {...form.getInputProps("below")}
        error={form.errors.below ?? (wrong && t("accounts.amountWrong"))}
      />
    </FormDialog>
  );
}
