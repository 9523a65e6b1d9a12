import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { useFormat } from "../../frame/values/format";
import type { TestEventSinkMutation } from "../../gql/graphql";
import classes from "../../frame/list/table.module.css";

export type Tested = NonNullable<TestEventSinkMutation["testEventSink"]>;

/** What the broker did with a test event. */
export function TestedDialog({
  name,
  tested,
  onClose,
}: {
  name: string;
  tested: Tested;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("eventSinks.testTitle", { name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Alert color={tested.acknowledged ? "teal" : "red"} role="status">
          {tested.acknowledged
            ? t("eventSinks.testStored", {
                sequence: format.number(tested.sequence ?? 0),
                milliseconds: format.number(Math.round(tested.seconds * 1000)),
              })
            : (tested.error ?? t("eventSinks.testFailed"))}
        </Alert>
        <Text size="sm" className={classes.anywhere}>
          {t("eventSinks.testSubject", { subject: tested.subject })}
        </Text>
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {t("common.close")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
