import { Anchor, Breadcrumbs, Stack, Text } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { TariffForm } from "./TariffForm";

export default function NewTariffPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  usePageTitle(t("tariffs.new"));
  return (
    <AdminOnly>
      <Stack gap="sm">
        <Breadcrumbs>
          <Anchor component={Link} to="/tariffs" size="sm">
            {t("nav.tariffs")}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t("tariffs.new")}
          </Text>
        </Breadcrumbs>
        <PageHead title={t("tariffs.new")} />
        <TariffForm
          tariff={null}
          onClose={() => void navigate("/tariffs")}
          onSaved={(code) => void navigate(`/tariffs/${code}`)}
        />
      </Stack>
    </AdminOnly>
  );
}
