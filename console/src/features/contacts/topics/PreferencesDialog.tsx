import { Checkbox, Loader, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import { HtmlFrame } from "../../../frame/ui/HtmlFrame";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useViewer } from "../../../frame/session";
import type { SelfService } from "../../../gql/graphql";
import { PreferencesPreview, SaveSelfService } from "./documents";

const OFFERS = ["export", "erase"] as const;

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
            {data.me && <Offers of={data.me} onSaved={reload} />}
            <HtmlFrame html={page.html} title={t("topics.previewTitle")} />
          </>
        )}
      </Stack>
    </Modal>
  );
}

interface OffersProps {
  of: { uuid: string; selfService: readonly SelfService[] };
  onSaved: () => void;
}

/** The requests that people may make for themselves. A member sees them for the own contacts alone. */
function Offers({ of, onSaved }: OffersProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { ownerUuid } = useViewer();
  const [problem, setProblem] = useState<Problem | null>(null);
  // Both boxes are one value, so that the next change begins with what this one has saved.
  const [chosen, setChosen] = useState(of.selfService);
  const [saving, setSaving] = useState(false);
  if (ownerUuid !== of.uuid) return null;

  async function save(kinds: SelfService[]) {
    setSaving(true);
    const input = { selfService: kinds };
    const { data, error } = await client.mutation(SaveSelfService, { id: of.uuid, input }).toPromise();
    setSaving(false);
    setProblem(error ? problemOf(error) : null);
    if (data?.updateUser) setChosen(data.updateUser.selfService);
    onSaved();
  }

  return (
    <Stack gap={6}>
      <Text size="sm">{t("erasures.offered")}</Text>
      {OFFERS.map((kind) => (
        <Checkbox
          key={kind}
          label={t(`erasures.offers.${kind}`)}
          disabled={saving}
          checked={chosen.includes(kind)}
          onChange={(event) =>
            void save(OFFERS.filter((each) => (each === kind ? event.target.checked : chosen.includes(each))))
          }
        />
      ))}
      {problem && <ProblemNotice problem={problem} />}
    </Stack>
  );
}
