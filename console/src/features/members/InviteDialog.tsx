import { TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
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
    <FormDialog
      size="lg"
      title={t("members.invite")}
      form={form}
      onSubmit={invite}
      action={t("members.makeInvitation")}
      disabled={
        !email.trim() || (draft.chosen && draft.permissions.length === 0 && t("members.needPermission"))
      }
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        type="email"
        label={t("login.email")}
        withAsterisk
        description={t("members.emailHint")}
        autoComplete="off"
        {...form.getInputProps("email")}
      />
      <RoleFields draft={draft} permissions={permissions} errors={form.errors} onChange={form.setValues} />
    </FormDialog>
  );
}
