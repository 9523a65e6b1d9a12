import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMemo, useState, type ReactNode, type SubmitEvent } from "react";
import { useClient } from "urql";
import { newIdempotencyKey, withIdempotencyKey } from "../../frame/api/client";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { parseDecimal } from "../../frame/values/decimal";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import type { AccountPatch, AccountRowFragment, Plan } from "../../gql/graphql";
import { ChangeAccount, OpenAccount, SetLowBalance } from "./documents";
import { PLANS } from "./search";

const CURRENCIES = ["USD", "EUR", "GBP", "CHF", "RUB"];

interface FormProps {
  title: string;
  action: string;
  busy: boolean;
  disabled: boolean;
  problem: Problem | null;
  onSubmit: (event: SubmitEvent) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a few fields, and one button that does what its title says. */
export function FormDialog(props: FormProps) {
  const { title, action, busy, disabled, problem, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          {children}
          {problem && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={disabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function OpenDialog({ onClose, onDone }: { onClose: () => void; onDone: (uuid: string) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [name, setName] = useState("");
  const [plan, setPlan] = useState<Plan>("free");
  const [currency, setCurrency] = useState("USD");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  // Another input is another account, so it has another key.
  const key = useMemo(newIdempotencyKey, [name, plan, currency]);

  async function open(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const input = { name: name.trim(), plan, currency: currency.trim().toUpperCase() };
    const { data, error } = await client
      .mutation(OpenAccount, { input }, withIdempotencyKey(key))
      .toPromise();
    setBusy(false);
    if (data?.createAccount) onDone(data.createAccount.uuid);
    else if (error) setProblem(problemOf(error));
  }

  return (
    <FormDialog
      title={t("accounts.openTitle")}
      action={t("accounts.open")}
      busy={busy}
      disabled={!name.trim() || !currency.trim()}
      problem={elsewhere(problem, ["name", "currency"])}
      onSubmit={open}
      onClose={onClose}
    >
      <Text size="sm">{t("accounts.openText")}</Text>
      <Fields
        {...{ name, setName, plan, setPlan, currency, setCurrency }}
        problem={problem}
        currencyHint={t("accounts.currencyHint")}
      />
    </FormDialog>
  );
}

interface FieldsProps {
  name: string;
  setName: (name: string) => void;
  plan: Plan;
  setPlan: (plan: Plan) => void;
  currency: string;
  setCurrency: (currency: string) => void;
  currencyHint: string;
  problem: Problem | null;
}

function Fields(props: FieldsProps) {
  const { name, setName, plan, setPlan, currency, setCurrency, currencyHint, problem } = props;
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        data-autofocus
        label={t("accounts.name")}
        maxLength={128}
        value={name}
        error={problem?.fields.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t("accounts.currency")}
        description={currencyHint}
        maxLength={3}
        list="account-currencies"
        value={currency}
        error={problem?.fields.currency}
        onChange={(event) => setCurrency(event.currentTarget.value)}
      />
      <datalist id="account-currencies">
        {CURRENCIES.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
      <Select
        label={t("accounts.plan")}
        description={t("accounts.planHint")}
        allowDeselect={false}
        data={PLANS.map((value) => ({ value, label: t(`accounts.plans.${value}`) }))}
        value={plan}
        onChange={(value) => setPlan(PLANS.find((item) => item === value) ?? "free")}
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
  const [name, setName] = useState(before.name);
  const [plan, setPlan] = useState<Plan>(before.plan);
  const [currency, setCurrency] = useState(before.currency);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [newName, newCurrency] = [name.trim(), currency.trim().toUpperCase()];
  const input: AccountPatch = {
    ...(newName !== before.name && { name: newName }),
    ...(plan !== before.plan && { plan }),
    ...(newCurrency !== before.currency && { currency: newCurrency }),
  };

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const { error } = await client.mutation(ChangeAccount, { id: account.uuid, input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else onDone(t("accounts.changed"));
  }

  return (
    <FormDialog
      title={t("accounts.changeTitle")}
      action={t("common.save")}
      busy={busy}
      disabled={!newName || !newCurrency || Object.keys(input).length === 0}
      problem={elsewhere(problem, ["name", "currency"])}
      onSubmit={save}
      onClose={onClose}
    >
      <Fields
        {...{ name, setName, plan, setPlan, currency, setCurrency }}
        problem={problem}
        currencyHint={t("accounts.currencyFixed")}
      />
    </FormDialog>
  );
}

export function LowBalanceDialog({ account, onClose, onDone }: ChangeProps) {
  const { t } = useTranslation();
  const client = useClient();
  // What was shown when the dialog was opened: a later change of somebody else is not undone.
  const [before] = useState(account.lowBalance == null ? "" : String(account.lowBalance));
  const [text, setText] = useState(before);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const below = parseDecimal(text);
  const wrong = text.trim() !== "" && (below === null || Number(below) === 0);

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const { error } = await client.mutation(SetLowBalance, { id: account.uuid, below }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else onDone(t(below === null ? "accounts.lowRemoved" : "accounts.lowSet"));
  }

  return (
    <FormDialog
      title={t("accounts.lowTitle")}
      action={t("common.save")}
      busy={busy}
      disabled={wrong || text.trim() === before}
      problem={elsewhere(problem, ["below"])}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("accounts.lowLimit", { currency: account.currency })}
        description={t("accounts.lowHint")}
        inputMode="decimal"
        value={text}
        error={problem?.fields.below ?? (wrong && t("accounts.amountWrong"))}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
