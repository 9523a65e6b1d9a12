import { Anchor, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { useLoaded } from "../../../frame/api/useLoaded";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import type { SignupFormRowFragment } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { EmbedOfForm } from "./documents";

interface Props {
  form: SignupFormRowFragment;
  onClose: () => void;
}

/** The address of a form's page, and the HTML of a form for one's own page. */
export function CodeDialog({ form, onClose }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  const { data, problem, reload } = useLoaded(EmbedOfForm, { id: form.uuid });
  const { url: page = "", html: code = "" } = data?.signupFormEmbed ?? {};
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={form.name}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        {problem && <ProblemNotice problem={problem} onRetry={reload} />}
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text size="sm" fw={500}>
              {t("signupForms.page")}
            </Text>
            <Anchor href={page} target="_blank" rel="noreferrer" size="sm" className={classes.anywhere}>
              {page}
            </Anchor>
          </div>
          <CopyButton text={page} label={t("common.copyOf", { what: t("signupForms.page") })} />
        </Group>
        {!form.enabled && <Text size="sm">{t("signupForms.offHint")}</Text>}
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text size="sm" fw={500}>
              {t("signupForms.html")}
            </Text>
            <Text size="xs" c="dimmed">
              {t("signupForms.htmlHint")}
            </Text>
          </div>
          <CopyButton text={code} label={t("common.copyOf", { what: t("signupForms.html") })} />
        </Group>
        <Code block tabIndex={0} role="region" aria-label={t("signupForms.html")}>
          {code}
        </Code>
      </Stack>
    </Modal>
  );
}
