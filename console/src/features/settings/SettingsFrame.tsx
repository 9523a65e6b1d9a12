import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../frame/i18n";
import { Notice, type useNotice } from "../../frame/ui/page/Notice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageTabs } from "../../frame/ui/page/PageTabs";
import { PageHead } from "../../frame/ui/page/PageHead";

const TABS = [
  { path: "/settings", title: "settings.tabs.settings" },
  { path: "/settings/storage", title: "settings.tabs.storage" },
] as const;

interface Props {
  add: string;
  onAdd: () => void;
  notice: ReturnType<typeof useNotice>;
  children: ReactNode;
}

/** The heading and the tabs of settings and stored values. */
export function SettingsFrame({ add, onAdd, notice, children }: Props) {
  const { t } = useTranslation();
  usePageTitle(t("nav.settings"));
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.settings")} about={t("settings.about")}>
        <Button leftSection={<IconPlus size={14} />} onClick={onAdd}>
          {add}
        </Button>
      </PageHead>
      <PageTabs label={t("nav.settings")} tabs={TABS} />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {children}
    </Stack>
  );
}
