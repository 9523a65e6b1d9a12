import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Radio.css";
import { Button, Checkbox, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useLeaving } from "../../frame/ui/dialogs/useLeaving";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import type { InviteMutation, Role } from "../../gql/graphql";
import { Invite, MakeUser } from "./documents";
import { NameField, NewPasswordField } from "./Fields";
import { Token } from "./Token";

type Invitation = NonNullable<InviteMutation["inviteUser"]>;
type Result = { email: string; invitation: Invitation } | { email: string; uuid: string };

/** Adds a user: by an invitation, whose token is shown once, or with a password. */
export function InviteDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<Result | null>(null);
  const [dirty, setDirty] = useState(false);
  const { leave, question } = useLeaving(() => result === null && dirty, onClose);
  useFocusBack();
  const title = result ? t("users.added", { email: result.email }) : t("users.add");
  return (
    <Modal
      opened
      onClose={leave}
      title={title}
      // Neither a click beside the dialog nor Escape may lose the token.
      closeOnClickOutside={result === null}
      closeOnEscape={result === null}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {result === null ? (
        <Stack gap="sm">
          <Form
            onDirty={setDirty}
            onClose={onClose}
            onMade={(made) => {
              setResult(made);
              onDone();
            }}
          />
          {question}
        </Stack>
      ) : (
        <Stack gap="sm">
          {"invitation" in result ? (
            <Token {...result.invitation} email={result.email} />
          ) : (
            <Text size="sm">{t("users.made")}</Text>
          )}
          <Group justify="flex-end">
            <Button
              variant="default"
              component={Link}
              to={`/users/${"uuid" in result ? result.uuid : result.invitation.userId}`}
            >
              {t("users.show")}
            </Button>
            <Button onClick={onClose}>{t("users.done")}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface FormProps {
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
  onMade: (result: Result) => void;
}

function Form({ onDirty, onClose, onMade }: FormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({
    initialValues: { how: "invite", email: "", displayName: "", admin: false, password: "" },
    shown: ({ how }) => ["email", "displayName", ...(how === "password" ? (["password"] as const) : [])],
  });
  const { how, email, password } = form.getValues();
  const dirty = form.isDirty();
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const lacking = !email.trim() || (how === "password" && !password);

  const add = form.sends(async (values) => {
    const [address, name] = [values.email.trim(), values.displayName.trim()];
    const roles: Role[] = values.admin ? ["admin", "user"] : ["user"];
    const input = { email: address, roles, ...(name && { displayName: name }) };
    if (values.how === "invite") {
      const { data, error } = await client.mutation(Invite, { input }).toPromise();
      if (!data?.inviteUser) return error;
      onMade({ email: address, invitation: data.inviteUser });
    } else {
      const made = { ...input, password: values.password };
      const { data, error } = await client.mutation(MakeUser, { input: made }).toPromise();
      if (!data?.createUser) return error;
      onMade({ email: address, uuid: data.createUser.uuid });
    }
  });

  return (
    <form onSubmit={add} noValidate>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          type="email"
          label={t("login.email")}
          withAsterisk
          autoComplete="off"
          {...form.getInputProps("email")}
        />
        <NameField label={t("users.name")} {...form.getInputProps("displayName")} />
        <Checkbox
          label={t("users.isAdmin")}
          description={t("users.isAdminHint")}
          {...form.getInputProps("admin", { type: "checkbox" })}
        />
        <Radio.Group label={t("users.how")} {...form.getInputProps("how")}>
          <Stack gap={6} mt={6}>
            <Radio value="invite" label={t("users.byInvitation")} />
            <Radio value="password" label={t("users.byPassword")} />
          </Stack>
        </Radio.Group>
        {how === "password" && (
          <NewPasswordField label={t("login.password")} {...form.getInputProps("password")} />
        )}
        {form.problem && <ProblemNotice problem={form.problem} />}
        <Group justify="flex-end">
          {lacking && (
            <Text size="xs" c="dimmed" me="auto">
              {t("common.fillFirst")}
            </Text>
          )}
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={form.busy} disabled={lacking}>
            {t(how === "invite" ? "users.invite" : "users.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
