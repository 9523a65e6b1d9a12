import { PasswordInput, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { WhatsAppCloudCredentials } from "../../gql/graphql";

const SECRETS = ["accessToken", "appSecret", "verifyToken"] as const;
export const CLOUD_FIELDS = ["phoneNumberId", ...SECRETS] as const;
/** what the API calls the fields */
export const CLOUD_NAMES = Object.fromEntries(CLOUD_FIELDS.map((name) => [`credentials.${name}`, name]));
export const NO_CREDENTIALS: WhatsAppCloudCredentials = {
  phoneNumberId: "",
  accessToken: "",
  appSecret: "",
  verifyToken: "",
};

/** Returns the credentials among the values of a form. */
export function credentialsOf(values: WhatsAppCloudCredentials): WhatsAppCloudCredentials {
  const { phoneNumberId, accessToken, appSecret, verifyToken } = values;
  return {
    phoneNumberId: phoneNumberId.trim(),
    accessToken: accessToken.trim(),
    appSecret: appSecret.trim(),
    verifyToken: verifyToken.trim(),
  };
}

export function isComplete(values: WhatsAppCloudCredentials): boolean {
  return CLOUD_FIELDS.every((name) => values[name].trim());
}

interface Props {
  /** the form's props of a field */
  input: (name: (typeof CLOUD_FIELDS)[number]) => object;
}

/** The credentials of a number at Meta, each with the place where it is found. They are never shown again. */
export function CloudFields({ input }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <TextInput
        label={t("messengers.cloud.phoneNumberId.label")}
        description={t("messengers.cloud.phoneNumberId.where")}
        inputMode="numeric"
        autoComplete="off"
        {...input("phoneNumberId")}
      />
      {SECRETS.map((name) => (
        <PasswordInput
          key={name}
          label={t(`messengers.cloud.${name}.label`)}
          description={t(`messengers.cloud.${name}.where`)}
          autoComplete="off"
          visibilityToggleButtonProps={{ "aria-label": t("login.showPassword") }}
          {...input(name)}
        />
      ))}
    </Stack>
  );
}
