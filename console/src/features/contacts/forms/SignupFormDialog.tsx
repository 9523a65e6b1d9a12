import "@mantine/core/styles/Switch.css";
import { Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { FromField } from "../../../frame/sender/FromField";
import { TopicChoice } from "../../../frame/topics/TopicChoice";
import type { Topic } from "../../../frame/topics/useTopics";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import type { SignupFormRowFragment } from "../../../gql/graphql";
import { CreateSignupForm, UpdateSignupForm } from "./documents";

interface Props {
  /** absent for a new one */
  signupForm?: SignupFormRowFragment;
  topics: readonly Topic[];
  onClose: () => void;
  onSaved: (name: string) => void;
}

/** Adds a sign-up form, or changes one. */
export function SignupFormDialog({ signupForm, topics, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({
    initialValues: {
      name: signupForm?.name ?? "",
      topicUuids: [...(signupForm?.topicUuids ?? [])],
      text: signupForm?.text ?? "",
      from: signupForm?.from ?? "",
      redirectUrl: signupForm?.redirectUrl ?? "",
      enabled: signupForm?.enabled ?? true,
    },
  });
  const { name, topicUuids } = form.getValues();

  const save = form.sends(async (values) => {
    const input = {
      name: values.name.trim(),
      topicUuids: values.topicUuids,
      text: values.text.trim() || null,
      from: values.from.trim() || null,
      redirectUrl: values.redirectUrl.trim() || null,
      enabled: values.enabled,
    };
    if (signupForm) {
      const variables = { id: signupForm.uuid, input };
      const { data, error } = await client.mutation(UpdateSignupForm, variables).toPromise();
      if (!data?.updateSignupForm) return error;
    } else {
      const { data, error } = await client.mutation(CreateSignupForm, { input }, keys.of(input)).toPromise();
      if (!data?.createSignupForm) return error;
      keys.renew();
    }
    onSaved(input.name);
  });

  return (
    <FormDialog
      size="lg"
      title={t(signupForm ? "signupForms.editTitle" : "signupForms.add")}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={!name.trim() || (topicUuids.length === 0 && t("subscriptions.needTopic"))}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("signupForms.name")}
        withAsterisk
        description={t("signupForms.nameHint")}
        maxLength={200}
        {...form.getInputProps("name")}
      />
      {topics.length > 0 ? (
        <TopicChoice
          label={t("topics.title")}
          rows={topics}
          value={topicUuids}
          error={form.errors.topicUuids}
          onChange={(value) => form.setFieldValue("topicUuids", value)}
        />
      ) : (
        <Text size="sm">{t("topics.needOne")}</Text>
      )}
      <Textarea
        label={t("signupForms.text")}
        description={t("signupForms.textHint")}
        autosize
        minRows={2}
        maxLength={10_000}
        {...form.getInputProps("text")}
      />
      <FromField {...form.getInputProps("from")} />
      <TextInput
        label={t("signupForms.redirect")}
        description={t("signupForms.redirectHint")}
        placeholder="https://example.com/thanks"
        type="url"
        maxLength={2000}
        {...form.getInputProps("redirectUrl")}
      />
      <Switch label={t("signupForms.enabled")} {...form.getInputProps("enabled", { type: "checkbox" })} />
    </FormDialog>
  );
}
