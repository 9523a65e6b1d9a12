import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import type { TestHookMutation } from "../../../gql/graphql";
import { CodeBlock } from "../ui/CodeBlock";
import { pretty } from "./pretty";

type Tested = NonNullable<TestHookMutation["testWebhook"]>;

/** What an endpoint has answered to a test event. */
export function TestDialog({ tested, onClose }: { tested: Tested; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  useFocusBack();
  const milliseconds = tested.seconds === null ? "–" : format.number(Math.round(tested.seconds * 1000));
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("hooks.testTitle")}
      size="xl"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Alert color={tested.delivered ? "teal" : "red"} role="status">
          {tested.delivered
            ? t("hooks.testAccepted", { status: tested.status ?? "", milliseconds })
            : t("hooks.testRefused", { error: tested.error ?? "" })}
        </Alert>
        <CodeBlock wrapped title={t("hooks.request")} code={pretty(tested.body)} />
        <CodeBlock wrapped title={t("hooks.answer")} code={tested.answer || t("hooks.noAnswer")} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t("common.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
