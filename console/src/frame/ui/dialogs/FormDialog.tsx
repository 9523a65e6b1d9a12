import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useId, type ReactNode, type SubmitEventHandler } from "react";
import type { Problem } from "../../api/errors";
import { useTranslation } from "../../i18n";
import { ProblemNotice } from "../page/ProblemNotice";
import { useFocusBack } from "./useFocusBack";
import { useLeaving } from "./useLeaving";

interface Props {
  title: string;
  size?: "lg" | "xl";
  /** the form (useRequestForm): what the server has said beside the fields, and whether it is being asked */
  form: { problem: Problem | null; busy: boolean; isDirty?: () => boolean };
  /** the text of the button that sends the form */
  action: string;
  /** whether the form can't be sent as it is: fields with a * are empty, or what this sentence says */
  disabled?: boolean | string | undefined;
  /** the text of the button that only closes the dialog */
  cancel?: string;
  /** the fields */
  children: ReactNode;
  /** what is said below the fields and a refusal */
  footer?: ReactNode;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onClose: () => void;
}

/**
 * A dialog with a form. A refusal of the server stays in it until something is changed, and what was typed is not lost by
 * Escape or a click beside the dialog.
 */
export function FormDialog({ title, size, form, action, disabled, cancel, footer, ...rest }: Props) {
  const { children, onSubmit, onClose } = rest;
  const { t } = useTranslation();
  const why = useId();
  const { leave, question } = useLeaving(() => form.isDirty?.() ?? false, onClose);
  useFocusBack();
  return (
    <Modal
      opened
      onClose={leave}
      {...(size && { size })}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          {children}
          {form.problem && <ProblemNotice problem={form.problem} />}
          {footer}
          {question}
          <Group justify="flex-end" wrap="nowrap">
            {disabled && (
              <Text id={why} size="xs" c="dimmed" flex={1}>
                {typeof disabled === "string" ? disabled : t("common.fillFirst")}
              </Text>
            )}
            <Button variant="default" onClick={onClose}>
              {cancel ?? t("common.cancel")}
            </Button>
            <Button
              type="submit"
              loading={form.busy}
              disabled={Boolean(disabled)}
              {...(disabled && { "aria-describedby": why })}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
