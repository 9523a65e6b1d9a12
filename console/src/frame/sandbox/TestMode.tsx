import { Button } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { lazyFile } from "../api/consoleFiles";
import { useTranslation } from "../i18n";
import { MenuButton } from "../shell/menus/MenuButton";
import classes from "./sandbox.module.css";
import { useSendingChannels } from "./useSandbox";

const TestModeFacts = lazyFile(() => import("./TestModeFacts"));

/** Says in the head of every page that the sandbox takes messages, as far as it does. */
export function TestMode() {
  const { t } = useTranslation();
  const channels = useSendingChannels();
  if (!channels.some(({ sandbox }) => sandbox)) return null;
  return (
    <MenuButton
      opens="dialog"
      menu={TestModeFacts}
      button={
        <Button
          variant="default"
          radius="xl"
          size="compact-md"
          aria-label={t("sandbox.label")}
          classNames={{ root: classes.pill, section: classes.pillIcon }}
          leftSection={<IconFlask size={15} stroke={1.8} />}
        >
          <span className={classes.pillText}>{t("sandbox.label")}</span>
        </Button>
      }
    />
  );
}
