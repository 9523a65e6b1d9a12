import { ActionIcon } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";

/** Changes one row of a table. `label` says which, for screen readers. */
export function ChangeButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconPencil size={16} />
    </ActionIcon>
  );
}
