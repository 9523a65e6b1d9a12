import { Loader, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import { HtmlFrame } from "../../../frame/ui/HtmlFrame";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { PreferencesPreview } from "./documents";

/** Shows the page on which people choose their topics, in each language that it has. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const { t, language } = useTranslation();
  useFocusBack();
  const [locale, setLocale] = useState<string>(language);
  const { data, problem, reload } = useLoaded(PreferencesPreview, { locale });
  const page = data?.preferencesPreview;
  const names = new Intl.DisplayNames(language, { type: "language" });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("topics.previewTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("topics.previewText")}
        </Text>
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        {!page && !problem && <Loader size="sm" aria-label={t("common.loading")} />}
        {page && (
          <>
            <Select
              maw={240}
              label={t("topics.previewLanguage")}
              allowDeselect={false}
              value={locale}
              data={page.languages.map((value) => ({ value, label: names.of(value) ?? value }))}
              onChange={(value) => value && setLocale(value)}
            />
            <HtmlFrame html={page.html} title={t("topics.previewTitle")} />
          </>
        )}
      </Stack>
    </Modal>
  );
}
