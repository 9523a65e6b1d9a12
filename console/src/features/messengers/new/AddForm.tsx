import { Button, Group, Paper, Radio, Stack, TextInput } from "@mantine/core";
import { useRef, useState, type SubmitEvent } from "react";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { newIdempotencyKey, withIdempotencyKey } from "../../../frame/api/client";
import { elsewhere } from "../../../frame/api/errors";
import { phoneIn } from "../../../frame/values/phone";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { CLOUD_FIELDS, CloudFields, isComplete, NO_CREDENTIALS } from "../CloudFields";
import { AddMessenger, SetMessengerPhone, StartMessenger } from "../documents";
import { useAct } from "../one/useAct";
import { loginFrom, type Kind } from "./kinds";

const FIELDS = ["login", "name"];

/** Adds the account, and starts it: its page then leads through the login. */
export function AddForm({ kind }: { kind: Kind }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useClient();
  const { act, busy, problem, forget } = useAct();
  const [login, setLogin] = useState("");
  const [name, setName] = useState("");
  const [way, setWay] = useState<"qr" | "phone">("qr");
  const [phone, setPhone] = useState("");
  const [proxy, setProxy] = useState("");
  const [credentials, setCredentials] = useState(NO_CREDENTIALS);
  const [added, setAdded] = useState<string | null>(null);
  const key = useRef<{ text: string; value: string }>(null);
  const cloud = kind.driver === "whatsapp_cloud";
  const byPhone = !cloud && way === "phone";
  const digits = phone.replace(/[\s().-]/g, "");
  const complete = login.trim() && (!byPhone || digits) && (!cloud || isComplete(credentials));
  const error = (field: string) => problem?.fields[field];

  async function add(event: SubmitEvent) {
    event.preventDefault();
    const input = {
      source: kind.source,
      driver: kind.driver,
      login: loginFrom(login),
      ...(name.trim() && { name: name.trim() }),
      ...(proxy.trim() && { proxyString: proxy.trim() }),
      ...(cloud && { credentials }),
    };
    // The same account keeps its key, so trying again after a lost answer adds it once.
    const text = JSON.stringify(input);
    if (key.current?.text !== text) key.current = { text, value: newIdempotencyKey() };
    const made =
      added ??
      (await act(AddMessenger, { input }, withIdempotencyKey(key.current.value)))?.addMessengerAccount?.uuid;
    if (!made) return;
    setAdded(made); // a phone that is refused afterwards is corrected without a second account
    if (byPhone && !(await act(SetMessengerPhone, { id: made, phone: digits }))) return;
    // The answer comes only when the login needs a person. The page of the account shows each step before.
    void client.mutation(StartMessenger, { id: made }).toPromise();
    void navigate(`/messengers/${made}`);
  }
  const typed = (set: (text: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value);
    forget();
  };
  const shown = [...FIELDS, ...(byPhone ? ["phone"] : []), ...(cloud ? CLOUD_FIELDS : ["proxyString"])];
  const noticed = elsewhere(problem, shown);

  return (
    <Paper p="sm" maw={640}>
      <form onSubmit={add} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t("messengers.fields.login")}
            description={t(
              kind.driver === "sandbox" ? "messengers.help.sandboxLogin" : "messengers.help.login",
            )}
            placeholder="+14155550100"
            value={login}
            error={error("login")}
            disabled={added !== null}
            autoFocus
            onChange={typed(setLogin)}
          />
          <TextInput
            label={t("messengers.fields.optionalName")}
            description={t("messengers.help.name")}
            value={name}
            error={error("name")}
            disabled={added !== null}
            onChange={typed(setName)}
          />
          {!cloud && (
            <Radio.Group
              label={t("messengers.way.label")}
              value={way}
              onChange={(value) => {
                setWay(value === "phone" ? "phone" : "qr");
                if (!phone && phoneIn(login)) setPhone(`+${loginFrom(login)}`);
              }}
            >
              <Stack gap={6} mt={6}>
                <Radio value="qr" label={t("messengers.way.qr")} />
                <Radio value="phone" label={t(`messengers.way.${kind.source}`)} />
              </Stack>
            </Radio.Group>
          )}
          {byPhone && (
            <TextInput
              label={t("messengers.fields.phone")}
              placeholder="+14155550100"
              type="tel"
              autoComplete="tel"
              value={phone}
              error={error("phone")}
              onChange={typed(setPhone)}
            />
          )}
          {cloud && (
            <CloudFields value={credentials} errors={problem?.fields ?? {}} onChange={setCredentials} />
          )}
          {!cloud && (
            <TextInput
              label={t("messengers.fields.optionalProxy")}
              description={t("messengers.proxy.form")}
              placeholder="socks5://user:password@203.0.113.7:1080"
              autoComplete="off"
              spellCheck={false}
              value={proxy}
              error={error("proxyString")}
              disabled={added !== null}
              onChange={typed(setProxy)}
            />
          )}
          {noticed && <ProblemNotice problem={noticed} />}
          <Group>
            <Button type="submit" loading={busy} disabled={!complete}>
              {t("messengers.addAndStart")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
