import { PasswordInput, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { WhatsAppCloudCredentials } from "../../gql/graphql";

const SECRETS = ["accessToken", "appSecret", "verifyToken"] as const;
/** the fields of the API whose sentences these fields show */
export const CLOUD_FIELDS = ["phoneNumberId", ...SECRETS].flatMap((name) => [name, `credentials.${name}`]);
export const NO_CREDENTIALS: WhatsAppCloudCredentials = {
  phoneNumberId: "",
  accessToken: "",
  appSecret: "",
  verifyToken: "",
};

export function isComplete(credentials: WhatsAppCloudCredentials): boolean {
  return Object.values(credentials).every((value: string) => value.trim());
}

interface Props {
  value: WhatsAppCloudCredentials;
  errors: Record<string, string>;
  onChange: (value: WhatsAppCloudCredentials) => void;
}

/** The credentials of a number at Meta, each with the place where it is found. They are never shown again. */
export function CloudFields({ value, errors, onChange }: Props) {
  const { t } = useTranslation();
  const error = (name: string) => errors[`credentials.${name}`] ?? errors[name];
  return (
    <Stack gap="sm">
      <TextInput
        label={t("messengers.cloud.phoneNumberId.label")}
        description={t("messengers.cloud.phoneNumberId.where")}
        inputMode="numeric"
        autoComplete="off"
        value={value.phoneNumberId}
        error={error("phoneNumberId")}
        onChange={(event) => onChange({ ...value, phoneNumberId: event.currentTarget.value.trim() })}
      />
      {SECRETS.map((name) => (
        <PasswordInput
          key={name}
          label={t(`messengers.cloud.${name}.label`)}
          description={t(`messengers.cloud.${name}.where`)}
          autoComplete="off"
          value={value[name]}
          error={error(name)}
          visibilityToggleButtonProps={{ "aria-label": t("login.showPassword") }}
          onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value.trim() })}
        />
      ))}
    </Stack>
  );
}
