import { ActionIcon, useMantineColorScheme } from "@mantine/core";
import { lazyFile } from "../api/consoleFiles";
import { useTranslation } from "../i18n";
import { MenuButton } from "./menus/MenuButton";
import { SCHEME_ICONS } from "./schemes";

const ThemeMenu = lazyFile(() => import("./menus/ThemeMenu"));

export function ThemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  const Current = SCHEME_ICONS[colorScheme];
  return (
    <MenuButton
      menu={ThemeMenu}
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("theme.choose")}>
          <Current size={18} stroke={1.6} />
        </ActionIcon>
      }
    />
  );
}
