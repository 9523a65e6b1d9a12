import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode, SubmitEventHandler } from "react";
import type { Problem } from "../../api/errors";
import { useTranslation } from "../../i18n";
import { ProblemNotice } from "../page/ProblemNotice";
import { useFocusBack } from "./useFocusBack";

interface Props {
  title: string;
  size?: "lg" | "xl";
  /** the form (useRequestForm): what the server has said beside the fields, and whether it is being asked */
  form: { problem: Problem | null; busy: boolean };
  /** the text of the button that sends the form */
  action: string;
  /** whether the form can't be sent as it is */
  disabled?: boolean | undefined;
  /** the text of the button that only closes the dialog */
  cancel?: string;
  /** the fields */
  children: ReactNode;
  /** what is said below the fields and a refusal */
  footer?: ReactNode;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onClose: () => void;
}

/** A dialog with a form. A refusal of the server stays in it until something is changed. */
export function FormDialog({ title, size, form, action, disabled, cancel, footer, ...rest }: Props) {
  const { children, onSubmit, onClose } = rest;
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      {...(size && { size })}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          {children}
          {form.problem && <ProblemNotice problem={form.problem} />}
          {footer}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {cancel ?? t("common.cancel")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={disabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
