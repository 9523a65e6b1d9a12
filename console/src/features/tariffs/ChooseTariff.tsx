import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import type { TariffFieldsFragment } from "../../gql/graphql";
import { SaveTariff } from "./documents";

interface Props {
  tariff: TariffFieldsFragment;
  onClose: () => void;
  /** receives the notice to show afterwards */
  onDone: (notice: string) => void;
}

/** Asks whether the user really wants this tariff. */
export function ChooseTariff({ tariff, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const values = { name: tariff.name };
  async function choose() {
    const { error } = await client.mutation(SaveTariff, { input: { code: tariff.code } }).toPromise();
    if (error) setProblem(problemOf(error));
    else onDone(t("tariffs.chosen", values));
  }
  return (
    <Confirm
      opened
      title={t("tariffs.chooseTitle", values)}
      question={t("tariffs.chooseText")}
      action={t("tariffs.choose")}
      problem={problem}
      onConfirm={choose}
      onClose={onClose}
    />
  );
}
