import { Alert, Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { CopyButton } from "../../frame/ui/CopyButton";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { useFormat } from "../../frame/values/format";
import { joinLink } from "./draft";
import type { Invitation } from "./InviteDialog";
import classes from "./members.module.css";

/**
 * Says that an invitation is mailed, or shows its link, which nobody sees again: then neither a click beside the dialog
 * nor Escape closes it.
 */
export function LinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  useFocusBack();
  const { email, expiresAt } = invitation.member;
  const [shown, setShown] = useState(!invitation.mailed);
  const link = joinLink(window.location.origin, invitation.token);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      size="lg"
      title={t("members.linkTitle", { email })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        {shown ? (
          <>
            <Alert color="orange" role="status">
              {t("common.shownOnce")}
            </Alert>
            <Text size="sm">{t("members.linkText", { email })}</Text>
            <Group gap="xs" align="flex-start">
              <Code className={classes.link} data-secret>
                {link}
              </Code>
              <CopyButton text={link} label={t("members.copyLink")} />
            </Group>
            <Text size="xs" c="dimmed">
              {expiresAt && t("members.linkUntil", { time: format.fullTime(expiresAt) })}
            </Text>
          </>
        ) : (
          <Text size="sm" role="status">
            {t("members.mailed", { email })}
          </Text>
        )}
        <Group justify="flex-end">
          {!shown && (
            <Button variant="default" onClick={() => setShown(true)}>
              {t("members.showLink")}
            </Button>
          )}
          <Button data-autofocus onClick={onClose}>
            {t(shown ? "members.linkDone" : "common.close")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
