import { Group, Textarea, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { OneContactQuery } from "../../gql/graphql";
import { UpdateContact, UpsertContact } from "./documents";
import type { ContactField } from "./useContacts";
import { addressesOf, linesOf, textOf, valueOf } from "./values";

interface Props {
  /** absent for a new one */
  contact?: NonNullable<OneContactQuery["contact"]>;
  fields: readonly ContactField[];
  onClose: () => void;
  onSaved: (uuid: string) => void;
}

/** Adds a contact, or changes one. */
export function ContactDialog({ contact, fields, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const stored = (contact?.fields ?? {}) as Record<string, unknown>;
  const form = useRequestForm<Record<string, string>>({
    initialValues: {
      name: contact?.name ?? "",
      addresses: linesOf(contact?.addresses ?? []),
      externalId: contact?.externalId ?? "",
      timezone: contact?.timezone ?? "",
      locale: contact?.locale ?? "",
      ...Object.fromEntries(fields.map(({ key }) => [`field-${key}`, textOf(stored[key])])),
    },
  });
  const values = form.getValues();
  const title = t(contact ? "contacts.editTitle" : "contacts.add");

  const save = form.sends(async (values) => {
    const text = (name: string) => values[name]?.trim() || null;
    const named = {
      externalId: text("externalId"),
      timezone: text("timezone"),
      locale: text("locale"),
      name: values.name?.trim() ?? "",
      addresses: addressesOf(values.addresses ?? ""),
      // What was not touched is not sent, so that a value that somebody else has changed meanwhile stays.
      fields: Object.fromEntries(
        fields
          .filter(({ key }) => (values[`field-${key}`] ?? "") !== textOf(stored[key]))
          .map(({ key, type }) => [key, valueOf(type, values[`field-${key}`] ?? "")]),
      ),
    };
    if (contact) {
      const { data, error } = await client
        .mutation(UpdateContact, { id: contact.uuid, input: named })
        .toPromise();
      if (!data?.updateContact) return error;
      onSaved(data.updateContact.uuid);
      return;
    }
    const { data, error } = await client.mutation(UpsertContact, { input: named }).toPromise();
    if (!data?.upsertContact) return error;
    onSaved(data.upsertContact.uuid);
  });

  return (
    <FormDialog
      title={title}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={
        !contact && !values.externalId?.trim() && !values.addresses?.trim() && t("contacts.needIdentity")
      }
      onClose={onClose}
    >
      <TextInput data-autofocus label={t("contacts.name")} maxLength={1000} {...form.getInputProps("name")} />
      <Textarea
        label={t("contacts.addresses")}
        description={t("contacts.addressesHint")}
        autosize
        minRows={2}
        spellCheck={false}
        {...form.getInputProps("addresses")}
      />
      <TextInput
        label={t("contacts.externalId")}
        description={t("contacts.externalIdHint")}
        maxLength={200}
        {...form.getInputProps("externalId")}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t("contacts.timezone")}
          placeholder="Europe/Berlin"
          maxLength={64}
          {...form.getInputProps("timezone")}
        />
        <TextInput
          label={t("contacts.locale")}
          placeholder="de"
          maxLength={64}
          {...form.getInputProps("locale")}
        />
      </Group>
      {fields.map(({ key, type, label }) => (
        <TextInput
          key={key}
          label={label ?? key}
          description={t(`contacts.types.${type}`)}
          maxLength={4096}
          {...form.getInputProps(`field-${key}`)}
        />
      ))}
    </FormDialog>
  );
}
