import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { FindingFieldsFragment } from "../../gql/graphql";
import { DomainCheck } from "./documents";
import { Findings } from "./Findings";

/** Says to administrators what the DNS has about any domain, with the keys of the installation. */
export function CheckDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  useFocusBack();
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
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("domains.checkAny")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={check} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("domains.name")}
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
          {form.problem && <ProblemNotice problem={form.problem} />}
          {findings && (
            <div role="status">
              <Findings findings={findings} />
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.close")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={!form.getValues().domain.trim()}>
              {t("domains.check")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
