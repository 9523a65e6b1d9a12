import { Anchor, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import type { Topic } from "../../../frame/topics/useTopics";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import type { SignupFormRowFragment } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { pageOf, snippetOf } from "./snippet";

interface Props {
  form: SignupFormRowFragment;
  topics: readonly Topic[];
  onClose: () => void;
}

/** The address of a form's page, and the HTML of a form for one's own page. */
export function CodeDialog({ form, topics, onClose }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  const page = pageOf(window.location.origin, form.uuid);
  const code = snippetOf(
    page,
    topics.filter(({ uuid }) => form.topicUuids.includes(uuid)),
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={form.name}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
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
