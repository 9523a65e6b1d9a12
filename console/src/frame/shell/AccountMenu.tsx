import { Avatar, UnstyledButton } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import { lazyFile } from "../api/consoleFiles";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { LogoutEverywhereDialog } from "./LogoutEverywhere";
import { MenuButton } from "./menus/MenuButton";

const UserMenu = lazyFile(() => import("./menus/UserMenu"));

export function AccountMenu() {
  const { t } = useTranslation();
  const viewer = useViewer();
  return (
    <>
      <MenuButton
        menu={UserMenu}
        button={
          <UnstyledButton aria-label={t("account.menu", { name: viewer.displayName || viewer.email })}>
            <Avatar size={30} radius="xl" color="postern">
              <IconUser size={17} stroke={1.8} />
            </Avatar>
          </UnstyledButton>
        }
      />
      <LogoutEverywhereDialog />
    </>
  );
}
