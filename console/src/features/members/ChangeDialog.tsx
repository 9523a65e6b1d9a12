import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { MemberRowFragment } from "../../gql/graphql";
import { ChangeMember } from "./documents";
import { draftOf, patchOf, shownFields } from "./draft";
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
  useFocusBack();
  // What was loaded when the dialog was opened: later changes of others are not undone.
  const [before] = useState(() => draftOf(member));
  const form = useRequestForm({ initialValues: { ...before }, shown: shownFields });
  const draft = form.getValues();
  const patch = patchOf(before, draft);

  const save = form.sends(async () => {
    const { data, error } = await client
      .mutation(ChangeMember, { id: member.uuid, input: patch })
      .toPromise();
    if (!data?.changeMember) return error;
    onChanged();
  });

  const isEmpty = draft.chosen && draft.permissions.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("members.changeTitle", { email: member.email })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <RoleFields
            draft={draft}
            permissions={permissions}
            errors={form.errors}
            onChange={form.setValues}
          />
          <Text size="xs" c="dimmed">
            {t("members.changeText")}
          </Text>
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={isEmpty || Object.keys(patch).length === 0}>
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
