import { PasswordInput, TextInput } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";

interface Props {
  label: string;
  value?: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** The name that a user is shown with. */
export function NameField({
  onChange,
  autoComplete = "off",
  disabled = false,
  ...input
}: Props & { autoComplete?: string; disabled?: boolean }) {
  return (
    <TextInput
      {...input}
      autoComplete={autoComplete}
      maxLength={64}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A password that is chosen for a user, with the rule for it. */
export function NewPasswordField({ onChange, ...input }: Props) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      {...input}
      description={t("users.passwordHint")}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("login.showPassword"), tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
