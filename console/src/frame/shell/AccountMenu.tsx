import { Avatar, UnstyledButton } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import { Suspense } from "react";
import { lazyFile } from "../api/consoleFiles";
import { waiting } from "../api/freshCode";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { useStore } from "../store";
import { PageBoundary } from "../ui/page/PageBoundary";
import { LogoutEverywhereDialog } from "./LogoutEverywhere";
import { MenuButton } from "./menus/MenuButton";

const CodeDialog = lazyFile(() => import("./CodeDialog").then(({ CodeDialog }) => ({ default: CodeDialog })));
const UserMenu = lazyFile(() => import("./menus/UserMenu"));

export function AccountMenu() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const asked = useStore(waiting) !== null;
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
      {asked && (
        <PageBoundary instead={null}>
          <Suspense>
            <CodeDialog />
          </Suspense>
        </PageBoundary>
      )}
    </>
  );
}
