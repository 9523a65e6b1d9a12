import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconInbox, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import classes from "../messengers.module.css";
import { groupOf, GROUP_COLORS, isInactive, phoneOf } from "../states";
import { Restriction } from "../Restriction";
import { useAccountStory } from "../useAccountStory";
import { CloudCallback } from "./CloudCallback";
import { CodeForm } from "./login/CodeForm";
import { LoginMethod } from "./login/LoginMethod";
import { PairingLogin } from "./login/PairingLogin";
import { PhoneForm } from "./login/PhoneForm";
import { QrLogin } from "./login/QrLogin";
import { SendTest } from "./SendTest";
import type { Account, LoginCode } from "./useAccount";

interface Props {
  account: Account;
  code: LoginCode | null;
  onChanged: () => void;
}

/** What the account does now, why, and what to do: a login step by step, or the way back after a failure. */
export function StateTab({ account, code, onChanged }: Props) {
  const writes = useViewer().may("messengers:write");
  return (
    <Stack gap="sm">
      <Now account={account} />
      <Restriction account={account} onLifted={onChanged} />
      {writes && <Login account={account} code={code} />}
    </Stack>
  );
}

/** The step of the login that needs a person now. */
function Login({ account, code }: { account: Account; code: LoginCode | null }) {
  const { state, driver } = account;
  const group = groupOf(state);
  return (
    <>
      {state === "waitQr" && <QrLogin source={account.source} code={code?.kind === "qr" ? code : null} />}
      {state === "showCode" && (
        <PairingLogin account={account} code={code?.kind === "pairing" ? code : null} />
      )}
      {(state === "waitCode" || state === "waitPassword") && <CodeForm key={state} account={account} />}
      {state === "waitPhone" && <PhoneForm account={account} />}
      {driver !== "whatsapp_cloud" && state !== "waitPhone" && (group === "login" || isInactive(state)) && (
        <LoginMethod account={account} />
      )}
      {driver === "whatsapp_cloud" && <CloudCallback account={account} />}
    </>
  );
}

function Now({ account }: { account: Account }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { headline, why, next } = useAccountStory()(account);
  const { may, uses } = useViewer();
  const [testing, setTesting] = useState(false);
  const { state } = account;
  const group = groupOf(state);
  const since = account.stateAt ? t("messengers.since", { time: format.time(account.stateAt) }) : "";
  const until =
    account.until && Date.parse(account.until) > Date.now()
      ? t("messengers.until", { time: format.fullTime(account.until) })
      : "";
  // A failure's own sentence says most, but is not in the reader's language; it stands below ours.
  const serverReason = account.reason && account.reason !== why && group !== "login" ? account.reason : "";
  const phone = phoneOf(account);
  return (
    <>
      <Alert
        role="status"
        classNames={{ title: classes.headline }}
        color={GROUP_COLORS[group]}
        icon={group === "moving" ? <Loader size={18} /> : undefined}
        title={headline}
      >
        <Stack gap={4}>
          <Text size="sm">{state === "working" && phone ? t("messengers.connectedAs", { phone }) : why}</Text>
          {next && group !== "login" && (
            <Text size="sm" fw={group === "down" ? 600 : undefined}>
              {next}
            </Text>
          )}
          {until && <Text size="sm">{until}</Text>}
          {serverReason && (
            <Text size="xs" c="dimmed">
              {t("messengers.serverReason", { reason: serverReason })}
              {account.reasonCode && ` (${account.reasonCode})`}
            </Text>
          )}
          {since && (
            <Text size="xs" c="dimmed">
              {since}
            </Text>
          )}
        </Stack>
        {state === "working" && (
          <Group gap={6} mt="xs">
            {may("messengers:send") && (
              <Button leftSection={<IconSend size={14} />} onClick={() => setTesting(true)}>
                {t("messengers.test.open")}
              </Button>
            )}
            {uses("messengers") && (
              <Button
                component={Link}
                to={`/inbox?account=${account.uuid}`}
                variant="default"
                leftSection={<IconInbox size={14} />}
              >
                {t("messengers.openInbox")}
              </Button>
            )}
          </Group>
        )}
      </Alert>
      {testing && <SendTest account={account} onClose={() => setTesting(false)} />}
    </>
  );
}
