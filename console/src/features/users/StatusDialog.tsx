import { Button, Group, Modal, Stack } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import type { InviteMutation, UserRowFragment } from "../../gql/graphql";
import { Activate, DeleteUser, Invite, Suspend } from "./documents";
import { Token } from "./Token";

export type Move = "suspend" | "activate" | "delete" | "invite";

interface Props {
  user: UserRowFragment;
  move: Move;
  onClose: () => void;
  /** receives the notice to show afterwards */
  onDone: (notice: string) => void;
}

/** Asks before the status of a user changes, and says what ends. A new invitation then shows its token. */
export function StatusDialog({ user, move, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  useFocusBack();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [invitation, setInvitation] = useState<NonNullable<InviteMutation["inviteUser"]> | null>(null);
  const values = { email: user.email };

  async function run() {
    setProblem(null);
    const id = user.uuid;
    if (move === "invite") {
      const input = { email: user.email, roles: user.roles };
      const { data, error } = await client.mutation(Invite, { input }).toPromise();
      if (data?.inviteUser) setInvitation(data.inviteUser);
      else if (error) setProblem(problemOf(error));
      return;
    }
    const document = { suspend: Suspend, activate: Activate, delete: DeleteUser }[move];
    const { error } = await client.mutation<object, { id: string }>(document, { id }).toPromise();
    if (error) setProblem(problemOf(error));
    else onDone(t(`users.moves.${move}.done`, values));
  }

  if (invitation) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={t("users.moves.invite.done", values)}
        closeOnClickOutside={false}
        closeOnEscape={false}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Stack gap="sm">
          <Token {...invitation} email={user.email} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t("users.done")}</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Confirm
      opened
      title={t(`users.moves.${move}.title`, values)}
      question={t(`users.moves.${move}.question`, values)}
      action={t(`users.moves.${move}.action`)}
      problem={problem}
      onConfirm={run}
      onClose={onClose}
    />
  );
}
