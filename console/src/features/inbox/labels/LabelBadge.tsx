import { Badge } from "@mantine/core";
import { withMarks } from "../../../frame/values/marks";
import type { Label } from "../model";

export function LabelBadge({ label }: { label: Label }) {
  return (
    <Badge
      variant="light"
      color={label.color}
      radius="sm"
      size="sm"
      tt="none"
      fw={500}
      maw={160}
      // A label also stands on the row of the chat that is open, which has a color of its own.
      vars={() => ({
        root: {
          "--badge-color": `color-mix(in srgb, var(--mantine-color-${label.color}-6) 25%, var(--console-ink))`,
        },
      })}
    >
      <bdi>{withMarks(label.name)}</bdi>
    </Badge>
  );
}
