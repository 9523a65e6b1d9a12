import { useTranslation } from "../../frame/i18n";
import { PageTabs } from "../../frame/ui/page/PageTabs";

const TABS = [
  { path: "/costs", title: "costs.traffic" },
  { path: "/costs/invoices", title: "costs.invoices" },
] as const;

export function CostTabs() {
  const { t } = useTranslation();
  return <PageTabs label={t("nav.costs")} tabs={TABS} />;
}
