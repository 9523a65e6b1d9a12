import { Badge } from "@mantine/core";
import { useTranslation } from "../i18n";

// The colors of the states everywhere: in lists, on a message's page and in charts.
const COLORS: Record<string, string> = {
  queued: "gray",
  sending: "blue",
  sent: "blue",
  delivered: "teal",
  read: "teal",
  failed: "red",
  skipped: "gray",
  unknown: "orange",
  canceled: "gray",
};

/** The state of a message. A state that this version of the console does not know is shown as it is. */
export function StateBadge({ state }: { state: string }) {
  const { textOr } = useTranslation();
  const label = textOr(`states.${state}`, state);
  return (
    <Badge variant="light" color={COLORS[state] ?? "gray"} radius="sm" size="sm" tt="none" fw={500}>
      {label}
    </Badge>
  );
}
