import { Group, Loader, Paper, SegmentedControl, Select, Stack, Switch, Text, Title } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { HtmlFrame } from "../../frame/ui/HtmlFrame";
import classes from "./brand.module.css";
import type { PreviewState } from "./usePreview";

/** The width of a page in each, in pixels. */
const WIDTHS = { desktop: 800, phone: 375 } as const;
/** The languages of the pages. */
const LANGUAGES = ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "uk", "ar", "he", "fa"];

/** A page as recipients see it: on a desktop or a phone, light or dark, in a language. */
export function BrandPreview({ state }: { state: PreviewState }) {
  const { t, language } = useTranslation();
  const [device, setDevice] = useState<keyof typeof WIDTHS>("desktop");
  const [dark, setDark] = useState(false);
  const { ref, width } = useElementSize();
  const zoom = width > 0 ? Math.min(1, width / WIDTHS[device]) : 1;
  const names = new Intl.DisplayNames([language], { type: "language" });
  return (
    <Paper p="sm" className={classes.beside}>
      <Stack gap="sm">
        <Group gap={8}>
          <Title order={2}>{t("brand.preview")}</Title>
          {state.loading && <Loader size={12} aria-label={t("common.loading")} />}
        </Group>
        <Group gap="sm" align="flex-end">
          <Select
            size="xs"
            w={140}
            label={t("brand.language")}
            allowDeselect={false}
            value={state.locale}
            onChange={(value) => state.setLocale(value ?? "en")}
            data={LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t("brand.device")}
            value={device}
            onChange={(value) => setDevice(value === "phone" ? "phone" : "desktop")}
            data={(["desktop", "phone"] as const).map((value) => ({
              value,
              label: t(`brand.devices.${value}`),
            }))}
          />
          <Switch
            size="xs"
            mb={6}
            label={t("brand.dark")}
            checked={dark}
            onChange={(event) => setDark(event.currentTarget.checked)}
          />
        </Group>
        {state.isEmpty && (
          <Text size="sm" c="dimmed">
            {t("brand.previewWaits")}
          </Text>
        )}
        {state.old && (
          <Text size="sm" c="dimmed">
            {t("brand.previewOld")}
          </Text>
        )}
        <div ref={ref}>
          {state.html && (
            <div className={classes.screen} style={{ width: WIDTHS[device], zoom }}>
              <HtmlFrame html={state.html} title={t("brand.previewTitle")} dark={dark} />
            </div>
          )}
        </div>
      </Stack>
    </Paper>
  );
}
