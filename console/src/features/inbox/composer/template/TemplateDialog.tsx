import { Text, Textarea, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../../../frame/api/ContentKey";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../frame/i18n";
import { FormDialog } from "../../../../frame/ui/dialogs/FormDialog";
import type { InboxSendMutation } from "../../../../gql/graphql";
import { InboxSend } from "../../documents";
import { paramsOf } from "./window";

export type Sent = NonNullable<InboxSendMutation["sendMessengerMessage"]>;

interface Props {
  account: string;
  /** where it goes: the chat's thread or an address */
  to: string;
  name: string;
  onSent: (message: Sent) => void;
  onClose: () => void;
}

const NAMES = {
  "template.name": "template",
  "template.language": "language",
  "template.params": "params",
} as const;

/** Sends an approved template by its name, language and parameters. */
export default function TemplateDialog({ account, to, name, onSent, onClose }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  // The same message keeps its key, so trying again after a lost answer sends nothing twice.
  const keys = useContentKey();
  const form = useRequestForm({
    initialValues: { template: "", language: "en_US", params: "" },
    names: NAMES,
  });
  const { template, language } = form.getValues();
  const send = form.sends(async (values) => {
    const message = {
      to,
      text: "",
      template: {
        name: values.template.trim(),
        language: values.language.trim(),
        params: paramsOf(values.params),
      },
    };
    const input = { ...message, idempotencyKey: keys.keyOf(message) };
    const { data, error } = await client.mutation(InboxSend, { account, input }).toPromise();
    if (!data?.sendMessengerMessage) return error;
    keys.renew();
    onSent(data.sendMessengerMessage);
  });
  return (
    <FormDialog
      title={t("inbox.template.title", { name })}
      form={form}
      onSubmit={send}
      action={t("inbox.send")}
      disabled={!template.trim() || !language.trim()}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t("inbox.template.about")}
      </Text>
      <TextInput
        data-autofocus
        label={t("inbox.template.name")}
        withAsterisk
        placeholder="order_shipped"
        maxLength={512}
        {...form.getInputProps("template")}
      />
      <TextInput
        label={t("inbox.template.language")}
        withAsterisk
        description={t("inbox.template.languageHint")}
        maxLength={8}
        {...form.getInputProps("language")}
      />
      <Textarea
        label={t("inbox.template.params")}
        description={t("inbox.template.paramsHint")}
        autosize
        minRows={2}
        maxRows={8}
        dir="auto"
        {...form.getInputProps("params")}
      />
    </FormDialog>
  );
}
