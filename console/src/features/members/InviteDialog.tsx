import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { InviteMemberMutation } from "../../gql/graphql";
import { InviteMember } from "./documents";
import { EMPTY, newMemberOf, shownFields } from "./draft";
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
  const form = useRequestForm({
    initialValues: { email: "", ...EMPTY },
    shown: (values) => ["email", ...shownFields(values)],
  });
  const { email, ...draft } = form.getValues();

  const invite = form.sends(async () => {
    const input = newMemberOf(email, draft);
    const { data, error } = await client.mutation(InviteMember, { input }).toPromise();
    if (!data?.inviteMember) return error;
    onInvited(data.inviteMember);
  });

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
            {...form.getInputProps("email")}
          />
          <RoleFields
            draft={draft}
            permissions={permissions}
            errors={form.errors}
            onChange={form.setValues}
          />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              type="submit"
              loading={form.busy}
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
