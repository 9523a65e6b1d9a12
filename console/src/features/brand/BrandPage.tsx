import { Button, Loader, Paper, Stack } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Question } from "../../frame/ui/dialogs/Question";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import type { BrandFieldsFragment } from "../../gql/graphql";
import { BrandDomains } from "./BrandDomains";
import { BrandForm } from "./BrandForm";
import { BrandPreview } from "./BrandPreview";
import classes from "./brand.module.css";
import { DeleteBrand, OneBrand, SaveBrand } from "./documents";
import { draftOf, inputOf, type Draft } from "./draft";
import { usePreview } from "./usePreview";

const NAMES = { colors: "colors", darkColors: "darkColors" } as const;

export default function BrandPage() {
  const { t } = useTranslation();
  usePageTitle(t("nav.brand"));
  const { data, problem, loading, reload } = useLoaded(OneBrand, {});
  const isAbsent = problem?.code === "brand_not_found";
  if (!data && !isAbsent) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    return problem && <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return <Editor stored={data?.brand ?? null} reload={reload} />;
}

/** The form of the brand, beside it a page for recipients as it would be. */
function Editor({ stored, reload }: { stored: BrandFieldsFragment | null; reload: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const writes = useViewer().may("settings:write");
  const notice = useNotice();
  const [asking, setAsking] = useState(false);
  const [exists, setExists] = useState(stored !== null);
  const form = useRequestForm<Draft>({ initialValues: draftOf(stored), names: NAMES });
  const preview = usePreview(form.getValues());

  const save = form.sends(async (values) => {
    const { data, error } = await client.mutation(SaveBrand, { input: inputOf(values) }).toPromise();
    if (!data?.setBrand) return error;
    setExists(true);
    notice.show(t("brand.saved"));
  });

  return (
    <Stack gap="sm">
      <PageHead title={t("nav.brand")} about={t("brand.about")}>
        {writes && exists && (
          <Button variant="default" leftSection={<IconTrash size={14} />} onClick={() => setAsking(true)}>
            {t("brand.delete")}
          </Button>
        )}
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      <div className={classes.two}>
        <Stack gap="sm">
          <form onSubmit={save} noValidate>
            <Paper p="sm">
              <BrandForm form={form} writes={writes} contrasts={preview.contrasts} />
              {form.problem && <ProblemNotice problem={form.problem} />}
              {writes && (
                <Button type="submit" mt="md" loading={form.busy} disabled={!form.getValues().name.trim()}>
                  {t("brand.save")}
                </Button>
              )}
            </Paper>
          </form>
          <BrandDomains writes={writes} onVerified={(name) => notice.show(t("brand.verified", { name }))} />
        </Stack>
        <BrandPreview state={preview} />
      </div>
      {asking && (
        <Question
          title={t("brand.deleteTitle")}
          question={t("brand.deleteText")}
          action={t("brand.delete")}
          mutation={DeleteBrand}
          variables={{}}
          onDone={() => {
            setAsking(false);
            setExists(false);
            form.setValues(draftOf(null));
            notice.show(t("brand.deleted"));
            reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}
