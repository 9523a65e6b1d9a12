import "@mantine/core/styles/Radio.css";
import { Radio, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import type { Permission } from "../../../frame/scopes/permissions";
import { ApprovalAboveField } from "../../../frame/scopes/ApprovalAboveField";
import { ScopeList } from "../../../frame/scopes/ScopeList";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import type { TokenRowFragment } from "../../../gql/graphql";
import classes from "../developer.module.css";
import { ChangeToken, CreateToken } from "./documents";
import { draftOf, EMPTY, endOf, inputOf, LIVES, patchOf, type Draft } from "./draft";
import { PaymentFields } from "./PaymentFields";

interface Props {
  /** the token that is changed; without one, a token is made */
  token?: TokenRowFragment;
  permissions: readonly Permission[];
  onClose: () => void;
  /** `secret` is that of a new token */
  onSaved: (name: string, secret?: string) => void;
}

/** the fields of the API whose sentences this form shows beside its own fields */
const FIELDS = [
  "name",
  "scopes",
  "networks",
  "accountIds",
  "spendPerDay",
  "messagesPerDay",
  "approvalAbove",
  "expiresAt",
] as const;
const AS_IT_IS = "asItIs";

/** Makes an API token, or changes what one may. */
export function TokenForm({ token, permissions, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [opened] = useState(() => Date.now());
  // What was loaded when the form was opened: later changes of others are not undone.
  const [before] = useState(() => (token ? draftOf(token) : EMPTY));
  const [draft, setDraft] = useState(before);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const patch = token && patchOf(before, draft, opened);
  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    setProblem(null);
  };

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { saved, secret, error } = token
      ? await client
          .mutation(ChangeToken, { id: token.uuid, input: patch ?? {} })
          .toPromise()
          .then(({ data, error }) => ({ saved: data?.updateApiToken, secret: undefined, error }))
      : await client
          .mutation(CreateToken, { input: inputOf(draft, opened) })
          .toPromise()
          .then(({ data, error }) => ({
            saved: data?.createApiToken?.apiToken,
            secret: data?.createApiToken?.token,
            error,
          }));
    setBusy(false);
    if (saved) onSaved(saved.name, secret);
    else if (error) setProblem(problemOf(error));
  }

  const noticed = elsewhere(problem, FIELDS);
  const isUnchanged = patch && Object.keys(patch).length === 0;
  return (
    <FormDialog
      size="xl"
      title={token ? t("tokens.editTitle", { name: token.name }) : t("tokens.newTitle")}
      form={{ problem: noticed, busy }}
      onSubmit={save}
      action={t(token ? "common.save" : "tokens.create")}
      disabled={!draft.name.trim() || (isUnchanged && t("common.unchanged"))}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("tokens.name")}
        withAsterisk
        description={t("tokens.nameHint")}
        maxLength={64}
        value={draft.name}
        error={problem?.fields.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Radio.Group
        label={t("tokens.scopes")}
        value={draft.full ? "full" : "limited"}
        onChange={(value) => change({ full: value === "full" })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="full" label={t("tokens.full")} description={t("tokens.fullHint")} />
          <Radio value="limited" label={t("tokens.limited")} description={t("tokens.limitedHint")} />
        </Stack>
      </Radio.Group>
      {!draft.full && (
        <ScopeList
          permissions={permissions}
          value={draft.scopes}
          error={problem?.fields.scopes}
          onChange={(scopes) => change({ scopes })}
        />
      )}
      <Textarea
        className={classes.mono}
        label={t("tokens.networks")}
        description={t("tokens.networksHint")}
        placeholder={"192.0.2.0/24\n2001:db8::/48"}
        autosize
        minRows={2}
        maxRows={8}
        value={draft.networks}
        error={problem?.fields.networks}
        onChange={(event) => change({ networks: event.currentTarget.value })}
      />
      <ApprovalAboveField
        value={draft.approvalAbove}
        error={problem?.fields.approvalAbove}
        onChange={(approvalAbove) => change({ approvalAbove })}
      />
      <PaymentFields draft={draft} problem={problem} onChange={change} />
      <Expiry token={token} draft={draft} opened={opened} problem={problem} onChange={change} />
    </FormDialog>
  );
}

interface ExpiryProps {
  token: TokenRowFragment | undefined;
  draft: Draft;
  opened: number;
  problem: Problem | null;
  onChange: (part: Partial<Draft>) => void;
}

/** How long the token is valid, from now on. */
function Expiry({ token, draft, opened, problem, onChange }: ExpiryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const ends = draft.life === null ? (token?.expiresAt ?? null) : endOf(draft.life, opened);
  const lives = LIVES.map((value) => ({ value, label: t(`tokens.lives.${value}`) }));
  return (
    <Stack gap={4}>
      <Select
        label={t("tokens.life")}
        allowDeselect={false}
        value={draft.life ?? AS_IT_IS}
        error={problem?.fields.expiresAt}
        onChange={(value) => onChange({ life: LIVES.find((item) => item === value) ?? null })}
        data={token ? [{ value: AS_IT_IS, label: t("tokens.asItIs") }, ...lives] : lives}
      />
      <Text size="xs" c="dimmed">
        {ends ? t("tokens.endsAt", { time: format.fullTime(ends) }) : t("tokens.endless")}
      </Text>
    </Stack>
  );
}
