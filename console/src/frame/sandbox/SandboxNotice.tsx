import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { useBilling } from "../billing";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { PROVIDERS_PATH, useSandbox } from "./useSandbox";

interface Props {
  channel: string;
  /** what is about to happen, or has happened */
  when: "before" | "after";
}

/** Says that the sandbox takes messages of this channel; nothing for a real one. */
export function SandboxNotice({ channel, when }: Props) {
  const { t, textOr } = useTranslation();
  const isFree = useBilling() === "off";
  const sandbox = useSandbox(channel);
  if (!sandbox) return null;
  const name = textOr(`channels.${channel}`, channel);
  return (
    <Alert color="yellow" py={8} role="note">
      <Text size="sm">
        {t(`sandbox.${when === "before" && isFree ? "beforeFree" : when}`, { channel: name })}
      </Text>
      {when === "before" && <SetUpProvider />}
    </Alert>
  );
}

/** Leads an administrator to the page of providers; for others there is nothing to do. */
export function SetUpProvider() {
  const { t } = useTranslation();
  const { isAdmin } = useViewer();
  if (!isAdmin) return null;
  return (
    <Anchor component={Link} to={PROVIDERS_PATH} size="sm" c="inherit" underline="always">
      {t("sandbox.setUp")}
    </Anchor>
  );
}
