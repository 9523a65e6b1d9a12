import { Button, Group, Paper, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { phoneIn } from "../../../frame/values/phone";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import {
  CLOUD_FIELDS,
  CLOUD_NAMES,
  CloudFields,
  credentialsOf,
  isComplete,
  NO_CREDENTIALS,
} from "../CloudFields";
import { AddMessenger, SetMessengerPhone, StartMessenger } from "../documents";
import { loginFrom, type Kind } from "./kinds";

const EMPTY = { login: "", name: "", way: "qr" as "qr" | "phone", phone: "", proxyString: "" };

/** Adds the account, and starts it: its page then leads through the login. */
export function AddForm({ kind }: { kind: Kind }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useClient();
  const [added, setAdded] = useState<string | null>(null);
  // The same account keeps its key, so trying again after a lost answer adds it once.
  const keys = useContentKey();
  const cloud = kind.driver === "whatsapp_cloud";
  const form = useRequestForm({
    initialValues: { ...EMPTY, ...NO_CREDENTIALS },
    names: CLOUD_NAMES,
    shown: ({ way }) =>
      cloud
        ? ["login", "name", ...CLOUD_FIELDS]
        : ["login", "name", "proxyString", ...(way === "phone" ? (["phone"] as const) : [])],
  });
  const values = form.getValues();
  const { login, name, phone, proxyString } = values;
  const byPhone = !cloud && values.way === "phone";
  const digits = phone.replace(/[\s().-]/g, "");
  const complete = login.trim() && (!byPhone || digits) && (!cloud || isComplete(values));

  const add = form.sends(async () => {
    const input = {
      source: kind.source,
      driver: kind.driver,
      login: loginFrom(login),
      ...(name.trim() && { name: name.trim() }),
      ...(proxyString.trim() && { proxyString: proxyString.trim() }),
      ...(cloud && { credentials: credentialsOf(values) }),
    };
    let id = added;
    if (id === null) {
      const { data, error } = await client.mutation(AddMessenger, { input }, keys.of(input)).toPromise();
      if (!data?.addMessengerAccount) return error;
      id = data.addMessengerAccount.uuid;
      setAdded(id); // a phone that is refused afterwards is corrected without a second account
    }
    if (byPhone) {
      const { error } = await client.mutation(SetMessengerPhone, { id, phone: digits }).toPromise();
      if (error) return error;
    }
    // The answer comes only when the login needs a person. The page of the account shows each step before.
    void client.mutation(StartMessenger, { id }).toPromise();
    void navigate(`/messengers/${id}`);
  });

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
            disabled={added !== null}
            autoFocus
            {...form.getInputProps("login")}
          />
          <TextInput
            label={t("messengers.fields.optionalName")}
            description={t("messengers.help.name")}
            disabled={added !== null}
            {...form.getInputProps("name")}
          />
          {!cloud && (
            <Radio.Group
              label={t("messengers.way.label")}
              value={values.way}
              onChange={(value) =>
                form.setValues({
                  way: value === "phone" ? "phone" : "qr",
                  ...(!phone && phoneIn(login) && { phone: `+${loginFrom(login)}` }),
                })
              }
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
              {...form.getInputProps("phone")}
            />
          )}
          {cloud && <CloudFields input={form.getInputProps} />}
          {!cloud && (
            <TextInput
              label={t("messengers.fields.optionalProxy")}
              description={t("messengers.proxy.form")}
              placeholder="socks5://user:password@203.0.113.7:1080"
              autoComplete="off"
              spellCheck={false}
              disabled={added !== null}
              {...form.getInputProps("proxyString")}
            />
          )}
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group>
            <Button
              type="submit"
              loading={form.busy}
              disabled={!complete}
              title={!complete ? t("common.fillForm") : undefined}
            >
              {t("messengers.addAndStart")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
