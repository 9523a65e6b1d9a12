import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Radio.css";
import { Button, Checkbox, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
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
  useFocusBack();
  const title = result ? t("users.added", { email: result.email }) : t("users.add");
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      // Neither a click beside the dialog nor Escape may lose the token.
      closeOnClickOutside={result === null}
      closeOnEscape={result === null}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {result === null ? (
        <Form
          onClose={onClose}
          onMade={(made) => {
            setResult(made);
            onDone();
          }}
        />
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

function Form({ onClose, onMade }: { onClose: () => void; onMade: (result: Result) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [how, setHow] = useState<"invite" | "password">("invite");
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [admin, setAdmin] = useState(false);
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function add(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const roles: Role[] = admin ? ["admin", "user"] : ["user"];
    const input = { email: email.trim(), roles, ...(name.trim() && { displayName: name.trim() }) };
    if (how === "invite") {
      const { data, error } = await client.mutation(Invite, { input }).toPromise();
      if (data?.inviteUser) onMade({ email: input.email, invitation: data.inviteUser });
      else if (error) setProblem(problemOf(error));
    } else {
      const { data, error } = await client.mutation(MakeUser, { input: { ...input, password } }).toPromise();
      if (data?.createUser) onMade({ email: input.email, uuid: data.createUser.uuid });
      else if (error) setProblem(problemOf(error));
    }
    setBusy(false);
  }

  const fields = problem?.fields ?? {};
  const other = elsewhere(problem, ["email", "displayName", ...(how === "password" ? ["password"] : [])]);
  return (
    <form onSubmit={add} noValidate>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          type="email"
          label={t("login.email")}
          autoComplete="off"
          value={email}
          error={fields.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NameField label={t("users.name")} value={name} error={fields.displayName} onChange={setName} />
        <Checkbox
          label={t("users.isAdmin")}
          description={t("users.isAdminHint")}
          checked={admin}
          onChange={(event) => setAdmin(event.currentTarget.checked)}
        />
        <Radio.Group
          label={t("users.how")}
          value={how}
          onChange={(value) => setHow(value === "password" ? "password" : "invite")}
        >
          <Stack gap={6} mt={6}>
            <Radio value="invite" label={t("users.byInvitation")} />
            <Radio value="password" label={t("users.byPassword")} />
          </Stack>
        </Radio.Group>
        {how === "password" && (
          <NewPasswordField
            label={t("login.password")}
            value={password}
            error={fields.password}
            onChange={setPassword}
          />
        )}
        {other && <ProblemNotice problem={other} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={!email.trim() || (how === "password" && !password)}>
            {t(how === "invite" ? "users.invite" : "users.create")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
