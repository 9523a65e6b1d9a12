import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";

/** Removes one row of a table. `label` says which, for screen readers. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}
