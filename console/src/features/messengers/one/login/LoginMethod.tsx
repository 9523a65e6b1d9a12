import { Button, Group, Text } from "@mantine/core";
import { IconDeviceMobile, IconQrcode } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import { isInactive } from "../../states";
import { beginLogin } from "./beginLogin";
import { PhoneForm } from "./PhoneForm";
import type { Account } from "../useAccount";

/** The other way to log in, if the first one does not suit. */
export function LoginMethod({ account }: { account: Account }) {
  const { t } = useTranslation();
  const client = useClient();
  const { send, busy, problem } = useRequestForm({ initialValues: {} });
  const [asking, setAsking] = useState(false);
  const byPhone = Boolean(account.phone);
  if (asking) return <PhoneForm account={account} onCancel={() => setAsking(false)} />;
  return (
    <>
      <Group gap={6}>
        <Text size="sm" c="dimmed">
          {isInactive(account.state)
            ? t(byPhone ? "messengers.nextByPhone" : "messengers.nextByQr", { phone: account.phone ?? "" })
            : t("messengers.otherWay")}
        </Text>
        {byPhone && (
          <Button
            variant="subtle"
            leftSection={<IconQrcode size={14} />}
            loading={busy}
            onClick={() => void send(() => beginLogin(client, account, null))}
          >
            {t("messengers.useQr")}
          </Button>
        )}
        <Button
          variant="subtle"
          leftSection={<IconDeviceMobile size={14} />}
          disabled={busy}
          onClick={() => setAsking(true)}
        >
          {t(byPhone ? "messengers.otherPhone" : "messengers.usePhone")}
        </Button>
      </Group>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
