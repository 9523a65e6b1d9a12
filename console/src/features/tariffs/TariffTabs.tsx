import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { PageTabs } from "../../frame/ui/page/PageTabs";

const TABS = [
  { path: "/tariffs", title: "nav.tariffs" },
  { path: "/tariffs/lists", title: "priceLists.title" },
] as const;

/** The pages on prices and limits; while messages cost nothing, limits alone. */
export function TariffTabs() {
  const { t } = useTranslation();
  if (useBilling() === "off") return null;
  return <PageTabs label={t("nav.tariffs")} tabs={TABS} />;
}
