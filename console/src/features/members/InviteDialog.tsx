import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { InviteMemberMutation } from "../../gql/graphql";
import { InviteMember } from "./documents";
import { EMPTY, newMemberOf, type Draft } from "./draft";
import { RoleFields } from "./RoleFields";

export type Invitation = NonNullable<InviteMemberMutation["inviteMember"]>;

interface Props {
  permissions: readonly Permission[];
  onClose: () => void;
  onInvited: (invitation: Invitation) => void;
}

/** Invites somebody: their email, and what they may. */
export function InviteDialog({ permissions, onClose, onInvited }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  useFocusBack();
  const [email, setEmail] = useState("");
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function invite(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { data, error } = await client
      .mutation(InviteMember, { input: newMemberOf(email, draft) })
      .toPromise();
    setBusy(false);
    if (data?.inviteMember) onInvited(data.inviteMember);
    else if (error) setProblem(problemOf(error));
  }

  const other = elsewhere(problem, ["email", "role", ...(draft.chosen ? ["permissions"] : [])]);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("members.invite")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={invite} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            type="email"
            label={t("login.email")}
            description={t("members.emailHint")}
            autoComplete="off"
            value={email}
            error={problem?.fields.email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <RoleFields
            draft={draft}
            permissions={permissions}
            problem={problem}
            onChange={(part) => {
              setDraft((now) => ({ ...now, ...part }));
              setProblem(null);
            }}
          />
          {other && <ProblemNotice problem={other} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={!email.trim() || (draft.chosen && draft.permissions.length === 0)}
            >
              {t("members.makeInvitation")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
