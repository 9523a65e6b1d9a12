import { Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { NotFound } from "../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { TariffFieldsFragment } from "../../gql/graphql";
import { OneTariff } from "./documents";
import { TariffForm } from "./TariffForm";

interface Props {
  code: string;
  onClose: () => void;
  onSaved: () => void;
}

/** The form of a tariff that exists. It begins with what the server has now: the page may be older. */
export default function EditTariff({ code, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [tariff, setTariff] = useState<TariffFieldsFragment | null>();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let gone = false;
    const load = async () => {
      const { data, error } = await client
        .query(OneTariff, { code }, { requestPolicy: "network-only" })
        .toPromise();
      if (gone) return;
      setProblem(error ? problemOf(error) : null);
      if (!error) setTariff(data?.tariffs?.nodes.find((item) => item.code === code) ?? null);
    };
    void load();
    return () => {
      gone = true;
    };
  }, [client, code, attempt]);
  if (tariff) return <TariffForm tariff={tariff} onClose={onClose} onSaved={onSaved} />;
  if (tariff === null) return <NotFound text={t("tariffs.notFound")} />;
  if (problem) return <ProblemNotice problem={problem} onRetry={() => setAttempt(attempt + 1)} />;
  return <Loader size="sm" aria-label={t("common.loading")} />;
}
