import "@mantine/core/styles/Radio.css";
import { Radio, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../frame/i18n";
import type { Permission } from "../../frame/scopes/permissions";
import { ApprovalAboveField } from "../../frame/scopes/ApprovalAboveField";
import { ScopeList } from "../../frame/scopes/ScopeList";
import { givable, ROLES, type Draft } from "./draft";

interface Props {
  draft: Draft;
  /** all permissions of the API, with what the owner has of them */
  permissions: readonly Permission[];
  /** what the server has said about the fields */
  errors: { role?: ReactNode; permissions?: ReactNode; approvalAbove?: ReactNode };
  onChange: (part: Partial<Draft>) => void;
}

const CHOSEN = "chosen";

/** What a member may do: a role with a sentence about it, or permissions one by one; and how many people to reach. */
export function RoleFields({ draft, permissions, errors, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Radio.Group
        label={t("members.role")}
        value={draft.chosen ? CHOSEN : draft.role}
        error={errors.role}
        onChange={(value) => {
          const role = ROLES.find((item) => item === value);
          onChange(role ? { role, chosen: false } : { chosen: true });
        }}
      >
        <Stack gap={8} mt={6}>
          {ROLES.map((role) => (
            <Radio
              key={role}
              value={role}
              label={t(`acting.roles.${role}`)}
              description={t(`members.may.${role}`)}
            />
          ))}
          <Radio value={CHOSEN} label={t("members.chosen")} description={t("members.chosenHint")} />
        </Stack>
      </Radio.Group>
      {draft.chosen && (
        <ScopeList
          permissions={givable(permissions)}
          value={draft.permissions}
          error={errors.permissions}
          onChange={(next) => onChange({ permissions: next })}
        />
      )}
      <ApprovalAboveField
        value={draft.approvalAbove}
        error={errors.approvalAbove}
        onChange={(approvalAbove) => onChange({ approvalAbove })}
      />
    </>
  );
}
