import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../frame/i18n";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageTabs } from "../../frame/ui/page/PageTabs";
import { PageHead } from "../../frame/ui/page/PageHead";

const TABS = [
  { path: "/system", title: "system.tabs.health" },
  { path: "/system/providers", title: "system.tabs.providers" },
  { path: "/system/purpose", title: "system.tabs.purpose" },
  { path: "/system/sending", title: "system.tabs.sending" },
  { path: "/system/allowlist", title: "system.tabs.allowlist" },
  { path: "/system/returned-mail", title: "system.tabs.returnedMail" },
] as const;

/** The heading and the tabs of all pages about the installation. */
export function SystemFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  usePageTitle(t("nav.system"));
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.system")}>{actions}</PageHead>
      <PageTabs label={t("nav.system")} tabs={TABS} />
      {children}
    </Stack>
  );
}
