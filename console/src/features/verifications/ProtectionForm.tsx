import "@mantine/core/styles/Checkbox.css";
import { Button, Checkbox, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { VerificationsPageQuery } from "../../gql/graphql";
import { SaveProtection } from "./documents";
import { prefixesOf, wrongPrefix } from "./prefixes";

interface Props {
  protection: NonNullable<VerificationsPageQuery["verificationProtection"]>;
  onSaved: () => void;
}

/** Whether codes to suspected numbers are withheld, and which numbers never are. */
export function ProtectionForm({ protection, onSaved }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const client = useClient();
  const writes = may("verifications:write");
  const form = useRequestForm({
    mode: "controlled",
    initialValues: {
      enabled: protection.enabled,
      allowedPrefixes: protection.allowedPrefixes.join("\n"),
    },
    validate: {
      allowedPrefixes: (text) => {
        const wrong = wrongPrefix(text);
        return wrong === null ? null : t("verifications.wrongPrefix", { prefix: wrong });
      },
    },
  });
  const save = form.sends(async ({ enabled, allowedPrefixes }) => {
    const input = { enabled, allowedPrefixes: prefixesOf(allowedPrefixes) };
    const { error } = await client.mutation(SaveProtection, { input }).toPromise();
    if (error) return error;
    form.resetDirty();
    onSaved();
  });
  return (
    <Paper p="sm" component="form" onSubmit={save} noValidate aria-label={t("verifications.protection")}>
      <Stack gap="sm">
        <div>
          <Title order={2}>{t("verifications.protection")}</Title>
          <Text size="sm" c="dimmed">
            {t("verifications.protectionText")}
          </Text>
        </div>
        <Checkbox
          label={t("verifications.enabled")}
          disabled={!writes}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
        <Textarea
          label={t("verifications.allowed")}
          description={t("verifications.allowedText")}
          placeholder="+4915"
          autosize
          minRows={2}
          maxRows={10}
          readOnly={!writes}
          {...form.getInputProps("allowedPrefixes")}
        />
        {form.problem && <ProblemNotice problem={form.problem} />}
        {writes && (
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={form.busy}
              disabled={!form.isDirty()}
              title={!form.isDirty() ? t("common.unchanged") : undefined}
            >
              {t("common.save")}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
