import { asAddress } from "../../frame/values/phone";
import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "../../frame/i18n";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { accountName, type Account } from "./model";

interface Props {
  accounts: readonly Account[];
  /** the address if it is known already; null: the user enters it */
  to: string | null;
  onOpen: (account: string, address: string) => void;
  onClose: () => void;
}

/** Asks with whom a chat begins, and with which account. */
export function OpenChat({ accounts, to, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  const [typed, setTyped] = useState(to ?? "");
  const working = accounts.find(({ state }) => state === "working") ?? accounts[0];
  const [account, setAccount] = useState(working?.uuid ?? "");
  const [wrong, setWrong] = useState(false);
  function open(event: SubmitEvent) {
    event.preventDefault();
    const address = asAddress(typed);
    if (!address) setWrong(true);
    else if (account) onOpen(account, address);
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("inbox.newChat")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={open} noValidate>
        <Stack gap="sm">
          {to !== null && <Text size="sm">{t("inbox.which", { address: to })}</Text>}
          <TextInput
            data-autofocus
            label={t("inbox.addressLabel")}
            description={t("inbox.addressHint")}
            placeholder="+14155550100"
            value={typed}
            error={wrong && t("inbox.notAddress")}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setWrong(false);
            }}
          />
          <Select
            label={t("inbox.from")}
            allowDeselect={false}
            value={account}
            onChange={(value) => setAccount(value ?? "")}
            data={accounts.map((item) => ({
              value: item.uuid,
              label: `${accountName(item)} · ${t(`channels.${item.source}`)}`,
            }))}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              type="submit"
              disabled={!typed.trim()}
              title={!typed.trim() ? t("common.fillForm") : undefined}
            >
              {t("inbox.openChat")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
