import { Badge } from "@mantine/core";
import { withMarks } from "../../../frame/values/marks";
import type { Label } from "../model";

export function LabelBadge({ label }: { label: Label }) {
  return (
    <Badge variant="light" color={label.color} radius="sm" size="sm" tt="none" fw={500} maw={160}>
      <bdi>{withMarks(label.name)}</bdi>
    </Badge>
  );
}
