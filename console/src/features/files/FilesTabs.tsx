import { PageTabs } from "../../frame/ui/page/PageTabs";
import { useTranslation } from "../../frame/i18n";

const TABS = [
  { path: "/files", title: "nav.files" },
  { path: "/files/pictures", title: "pictures.title" },
] as const;

/** The files, and the pictures of letters, which everybody can see who has their address. */
export function FilesTabs() {
  const { t } = useTranslation();
  return <PageTabs label={t("nav.files")} tabs={TABS} />;
}
