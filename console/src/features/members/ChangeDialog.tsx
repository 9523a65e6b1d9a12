import { Text } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf } from "../../frame/api/errors";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { MemberRowFragment } from "../../gql/graphql";
import { ChangeMember } from "./documents";
import { draftOf, patchOf, shownFields } from "./draft";
import { inUseOf, nothingKept, type InUse, type Keep } from "./inUse";
import { KeepFields } from "./KeepFields";
import { RoleFields } from "./RoleFields";

interface Props {
  member: MemberRowFragment;
  permissions: readonly Permission[];
  onClose: () => void;
  onChanged: () => void;
}

/** Changes what a member may do. */
export function ChangeDialog({ member, permissions, onClose, onChanged }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  // What was loaded when the dialog was opened: later changes of others are not undone.
  const [before] = useState(() => draftOf(member));
  const form = useRequestForm({ initialValues: { ...before }, shown: shownFields });
  const [credentials, setCredentials] = useState<readonly InUse[]>([]);
  const [keep, setKeep] = useState<Keep>({});
  const draft = form.getValues();
  const patch = patchOf(before, draft);

  const save = form.sends(async () => {
    const { data, error } = await client
      .mutation(ChangeMember, { id: member.uuid, input: { ...patch, ...keep } })
      .toPromise();
    if (data?.changeMember) {
      onChanged();
      return;
    }
    const asked = inUseOf(error ? problemOf(error) : null);
    setCredentials(asked);
    setKeep((chosen) => ({ ...nothingKept(asked), ...chosen }));
    return asked.length > 0 ? undefined : error;
  });

  const isEmpty = draft.chosen && draft.permissions.length === 0;
  return (
    <FormDialog
      size="lg"
      title={t("members.changeTitle", { email: member.email })}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={
        (isEmpty && t("members.needPermission")) || (Object.keys(patch).length === 0 && t("common.unchanged"))
      }
      onClose={onClose}
    >
      <RoleFields draft={draft} permissions={permissions} errors={form.errors} onChange={form.setValues} />
      <KeepFields
        credentials={credentials}
        keep={keep}
        onChange={(part) => setKeep((chosen) => ({ ...chosen, ...part }))}
      />
      <Text size="xs" c="dimmed">
        {t("members.changeText")}
      </Text>
    </FormDialog>
  );
}
