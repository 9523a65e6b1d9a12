import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { FindingFieldsFragment } from "../../gql/graphql";
import { DomainCheck } from "./documents";
import { Findings } from "./Findings";

/** Says to administrators what the DNS has about any domain, with the keys of the installation. */
export function CheckDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [findings, setFindings] = useState<readonly FindingFieldsFragment[] | null>(null);
  const form = useRequestForm({
    initialValues: { domain: "", selector: "" },
    onValuesChange: () => setFindings(null),
  });

  const check = form.sends(async (values) => {
    setFindings(null);
    const variables = { domain: values.domain.trim(), selector: values.selector.trim() || null };
    const { data, error } = await client
      .query(DomainCheck, variables, { requestPolicy: "network-only" })
      .toPromise();
    if (!data?.domainCheck) return error;
    setFindings(data.domainCheck);
  });

  return (
    <FormDialog
      size="lg"
      title={t("domains.checkAny")}
      form={form}
      onSubmit={check}
      action={t("domains.check")}
      disabled={!form.getValues().domain.trim()}
      cancel={t("common.close")}
      footer={
        findings && (
          <div role="status">
            <Findings findings={findings} />
          </div>
        )
      }
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("domains.name")}
        withAsterisk
        placeholder="example.com"
        maxLength={253}
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps("domain")}
      />
      <TextInput
        label={t("domains.selector")}
        description={t("domains.selectorHint")}
        maxLength={63}
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps("selector")}
      />
    </FormDialog>
  );
}
