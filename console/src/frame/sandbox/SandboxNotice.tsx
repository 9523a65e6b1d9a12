import { Alert, Text } from "@mantine/core";
import { useBilling } from "../billing";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { useSandbox } from "./useSandbox";

interface Props {
  channel: string;
  /** what is about to happen, or has happened */
  when: "before" | "after";
}

/** Says that the sandbox takes messages of this channel; nothing for a real one. */
export function SandboxNotice({ channel, when }: Props) {
  const { t, textOr } = useTranslation();
  const viewer = useViewer();
  const isFree = useBilling() === "off";
  const sandbox = useSandbox(channel);
  if (!sandbox) return null;
  const name = textOr(`channels.${channel}`, channel);
  return (
    <Alert color="yellow" py={8} role="note">
      <Text size="sm">
        {t(`sandbox.${when === "before" && isFree ? "beforeFree" : when}`, { channel: name })}
      </Text>
      {viewer.isAdmin && when === "before" && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {t("sandbox.toSet", { settings: sandbox.setting })}
        </Text>
      )}
    </Alert>
  );
}
