import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { MemberRowFragment } from "../../gql/graphql";
import { ChangeMember } from "./documents";
import { draftOf, patchOf } from "./draft";
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
  const [draft, setDraft] = useState(before);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const patch = patchOf(before, draft);

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { data, error } = await client
      .mutation(ChangeMember, { id: member.uuid, input: patch })
      .toPromise();
    setBusy(false);
    if (data?.changeMember) onChanged();
    else if (error) setProblem(problemOf(error));
  }

  const other = elsewhere(problem, ["role", ...(draft.chosen ? ["permissions"] : [])]);
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
            problem={problem}
            onChange={(part) => {
              setDraft((now) => ({ ...now, ...part }));
              setProblem(null);
            }}
          />
          <Text size="xs" c="dimmed">
            {t("members.changeText")}
          </Text>
          {other && <ProblemNotice problem={other} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={isEmpty || Object.keys(patch).length === 0}>
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
