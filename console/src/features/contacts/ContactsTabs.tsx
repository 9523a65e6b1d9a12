import { useTranslation } from "../../frame/i18n";
import { PageTabs } from "../../frame/ui/page/PageTabs";

const TABS = [
  { path: "/contacts", title: "nav.contacts" },
  { path: "/contacts/topics", title: "topics.title" },
  { path: "/contacts/segments", title: "segments.title" },
  { path: "/contacts/forms", title: "signupForms.title" },
  { path: "/contacts/erasures", title: "erasures.title" },
] as const;

/** The parts of the pages on contacts. */
export function ContactsTabs() {
  const { t } = useTranslation();
  return <PageTabs label={t("nav.contacts")} tabs={TABS} />;
}
