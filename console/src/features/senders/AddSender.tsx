import { Anchor, Loader, PasswordInput, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { Link } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { CreateSender, PossibleSenders } from "./documents";

const KINDS = ["messenger", "other"] as const;
const FIELDS = ["source", "login", "token", "name"] as const;
const EMPTY = { kind: "messenger", source: "", login: "", token: "", name: "" };

interface Props {
  /** the messenger account that is chosen at first */
  first: string | null;
  onClose: () => void;
  onAdded: (name: string) => void;
}

/** Makes a messenger account a sender of projects, or adds an account that another program sends through. */
export function AddSender({ first, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({
    initialValues: { ...EMPTY, account: first },
    shown: (values) => (values.kind === "other" ? FIELDS : ["name"]),
  });
  const { kind, account: chosen, ...fields } = form.getValues();
  const possible = usePossible();
  const account = possible.accounts?.find(({ uuid }) => uuid === chosen);
  const isReady =
    kind === "messenger" ? account !== undefined : Boolean(fields.source && fields.login && fields.token);

  const add = form.sends(async () => {
    const name = fields.name.trim() || null;
    // A messenger account has its own session, so the token only says which account it is.
    const input =
      kind === "messenger" && account
        ? {
            source: account.source,
            login: account.login,
            token: account.uuid,
            name: name ?? account.name,
          }
        : { source: fields.source.trim(), login: fields.login.trim(), token: fields.token, name };
    const { data, error } = await client.mutation(CreateSender, { input }, keys.of(input)).toPromise();
    if (!data?.createSourceAccount) return error;
    keys.renew();
    onAdded(data.createSourceAccount.name);
  });

  return (
    <FormDialog
      title={t("senders.addTitle")}
      form={form}
      onSubmit={add}
      action={t("senders.add")}
      disabled={!isReady}
      onClose={onClose}
    >
      <SegmentedControl
        size="xs"
        aria-label={t("senders.kind")}
        {...form.getInputProps("kind")}
        data={KINDS.map((value) => ({ value, label: t(`senders.kinds.${value}`) }))}
      />
      {kind === "messenger" ? (
        <MessengerChoice
          {...possible}
          value={chosen}
          onChange={(uuid) => form.setFieldValue("account", uuid)}
        />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t("senders.otherText")}
          </Text>
          <TextInput
            label={t("senders.source")}
            description={t("senders.sourceHint")}
            maxLength={64}
            {...form.getInputProps("source")}
          />
          <TextInput
            label={t("senders.login")}
            withAsterisk
            maxLength={256}
            {...form.getInputProps("login")}
          />
          <PasswordInput
            label={t("senders.tokenLabel")}
            withAsterisk
            description={t("senders.tokenHint")}
            autoComplete="off"
            maxLength={8192}
            visibilityToggleButtonProps={{ "aria-label": t("senders.showToken") }}
            {...form.getInputProps("token")}
          />
        </>
      )}
      <TextInput
        label={t("senders.nameLabel")}
        description={t("senders.nameHint")}
        maxLength={128}
        placeholder={kind === "messenger" ? account?.name : fields.login}
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}

interface ChoiceProps extends ReturnType<typeof usePossible> {
  value: string | null;
  onChange: (uuid: string | null) => void;
}

function MessengerChoice({ accounts, hasAccounts, problem, reload, value, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!accounts) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (accounts.length === 0) {
    return (
      <Text size="sm">
        {t(hasAccounts ? "senders.allAdded" : "senders.noAccounts")}{" "}
        <Anchor component={Link} to="/messengers/new" size="sm">
          {t("senders.addAccount")}
        </Anchor>
      </Text>
    );
  }
  return (
    <Select
      data-autofocus
      label={t("senders.account")}
      withAsterisk
      description={t("senders.accountHint")}
      searchable={accounts.length > 10}
      value={accounts.some(({ uuid }) => uuid === value) ? value : null}
      onChange={onChange}
      data={accounts.map(({ uuid, name, login, source }) => ({
        value: uuid,
        label: `${name === login ? login : `${name} (${login})`} · ${t(`channels.${source}`)}`,
      }))}
    />
  );
}

/** The user's messenger accounts that are no senders yet; undefined until they are known. */
function usePossible() {
  const viewer = useViewer();
  // An administrator sees all accounts, and a sender belongs to whoever adds it.
  const { data, problem, reload } = useLoaded(PossibleSenders, {
    where: { ownerId: { eq: viewer.ownerUuid } },
  });
  const all = data?.messengerAccounts?.nodes;
  return {
    accounts: all?.filter(({ sourceAccounts }) => sourceAccounts?.nodes.length === 0),
    hasAccounts: Boolean(all?.length),
    problem,
    reload,
  };
}
