import { NativeSelect, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { SetRouteCosts } from "./documents";

interface Props {
  routes: readonly string[];
  lists: readonly { uuid: string; name: string; currency: string }[];
  onClose: () => void;
  onDone: () => void;
}

/** Gives a route a price list as its costs, from a moment on. */
export function SetCostsDialog({ routes, lists, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({
    initialValues: { route: routes[0] ?? "", listId: lists[0]?.uuid ?? "", validFrom: "" },
  });
  const set = form.sends(async ({ route, listId, validFrom }) => {
    const input = {
      listId: listId || null,
      validFrom: validFrom ? new Date(validFrom).toISOString() : null,
    };
    const { error } = await client.mutation(SetRouteCosts, { route, input }).toPromise();
    if (error) return error;
    onDone();
  });
  return (
    <FormDialog
      title={t("costs.set")}
      form={form}
      onSubmit={set}
      action={t("costs.save")}
      disabled={!form.getValues().route}
      onClose={onClose}
    >
      <NativeSelect
        data-autofocus
        label={t("costs.groups.route")}
        data={[...routes]}
        {...form.getInputProps("route")}
      />
      <NativeSelect
        label={t("costs.list")}
        description={t(lists.length > 0 ? "costs.listHint" : "costs.noLists")}
        data={[
          ...lists.map(({ uuid, name, currency }) => ({ value: uuid, label: `${name} (${currency})` })),
          { value: "", label: t("costs.ended") },
        ]}
        {...form.getInputProps("listId")}
      />
      <TextInput
        type="datetime-local"
        label={t("costs.since")}
        description={t("costs.sinceHint", { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        {...form.getInputProps("validFrom")}
      />
    </FormDialog>
  );
}
