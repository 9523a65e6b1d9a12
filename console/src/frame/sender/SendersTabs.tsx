import { useTranslation } from "../i18n";
import { PageTabs } from "../ui/page/PageTabs";

const TABS = [
  { path: "/senders", title: "senderTabs.messengers" },
  { path: "/senders/ids", title: "senderTabs.ids" },
] as const;

/** The two kinds of senders: accounts of messengers, and the names and numbers of SMS and emails. */
export function SendersTabs() {
  const { t } = useTranslation();
  return <PageTabs label={t("nav.senders")} tabs={TABS} />;
}
