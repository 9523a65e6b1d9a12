import { Button, Popover, Stack, Text } from "@mantine/core";
import { cloneElement, useEffect, useRef, useState, type ReactElement, type Ref } from "react";
import { Link } from "react-router";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { PROVIDERS_PATH, useSendingChannels } from "./useSandbox";

interface Props {
  button: ReactElement<{ ref?: Ref<HTMLButtonElement>; onClick?: () => void }>;
}

/** Says which channels the sandbox has, and what changes that. It opens at once: its button was pressed before. */
export default function TestModeFacts({ button }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    target.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={320}
      position="bottom"
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        {cloneElement(button, { ref: target, onClick: () => setOpened((before) => !before) })}
      </Popover.Target>
      <Popover.Dropdown aria-label={t("sandbox.label")}>
        <Facts onFollow={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Facts({ onFollow }: { onFollow: () => void }) {
  const { t, textOr, language } = useTranslation();
  const { isAdmin } = useViewer();
  const channels = useSendingChannels();
  const sandboxed = channels.filter(({ sandbox }) => sandbox);
  const listed = (items: readonly string[]) =>
    new Intl.ListFormat(language, { style: "long", type: "conjunction" }).format(items);
  const names = (items: typeof channels) =>
    listed(items.map(({ channel }) => textOr(`channels.${channel}`, channel)));
  const isWhole = sandboxed.length === channels.length;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {isWhole
          ? t("sandbox.whole", { sandboxed: names(sandboxed) })
          : t("sandbox.some", {
              sandboxed: names(sandboxed),
              real: names(channels.filter(({ sandbox }) => !sandbox)),
            })}
      </Text>
      {!isAdmin && <Text size="sm">{t("sandbox.ask")}</Text>}
      {isAdmin && (
        <Button component={Link} to={PROVIDERS_PATH} onClick={onFollow}>
          {t("sandbox.setUp")}
        </Button>
      )}
    </Stack>
  );
}
