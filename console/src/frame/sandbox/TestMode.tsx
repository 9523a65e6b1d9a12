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
  const { t, textOr } = useTranslation();
  const channels = useSendingChannels();
  const tested = channels.filter(({ sandbox }) => sandbox);
  const [first, second] = tested;
  if (!first) return null;
  // Of one or two channels the pill says which; with more of them the text would not fit.
  const names = (second ? [first, second] : [first]).map(({ channel }) =>
    textOr(`channels.${channel}`, channel),
  );
  const label =
    tested.length === channels.length
      ? t("sandbox.label")
      : tested.length > 2
        ? t("sandbox.several", { number: tested.length, of: channels.length })
        : t("sandbox.only", { channels: names.join(", ") });
  return (
    <MenuButton
      opens="dialog"
      menu={TestModeFacts}
      button={
        <Button
          variant="default"
          radius="xl"
          size="compact-md"
          aria-label={label}
          classNames={{ root: classes.pill, section: classes.pillIcon }}
          leftSection={<IconFlask size={15} stroke={1.8} />}
        >
          <span className={classes.pillText}>{label}</span>
        </Button>
      }
    />
  );
}
