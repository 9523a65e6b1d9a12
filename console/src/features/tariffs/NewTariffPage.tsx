import { Anchor, Breadcrumbs, Stack, Text, Title } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { TariffForm } from "./TariffForm";

export default function NewTariffPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  usePageTitle(t("tariffs.new"));
  return (
    <AdminOnly>
      <Stack gap="sm" maw={900}>
        <Breadcrumbs>
          <Anchor component={Link} to="/tariffs" size="sm">
            {t("nav.tariffs")}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t("tariffs.new")}
          </Text>
        </Breadcrumbs>
        <Title order={1}>{t("tariffs.new")}</Title>
        <TariffForm
          tariff={null}
          onClose={() => void navigate("/tariffs")}
          onSaved={(code) => void navigate(`/tariffs/${code}`)}
        />
      </Stack>
    </AdminOnly>
  );
}
