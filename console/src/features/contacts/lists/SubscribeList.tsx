import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import type { ContactMapping, ProjectChannel } from "../../../gql/graphql";
import { ImportContacts } from "./documents";
import { NO_SUBSCRIPTION, subscribeOf, Subscription } from "./Subscription";

interface Props {
  /** the list that was imported: reading it again changes no contact, and subscribes them */
  list: { fileUuid: string; region: string; mapping: ContactMapping; headerRow: number | null };
  onClose: () => void;
  onRead: (uuid: string, topicUuids: readonly string[]) => void;
}

/** Subscribes the people of a list that was imported without a topic. */
export function SubscribeList({ list, onClose, onRead }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const [first] = (list.mapping.addresses ?? []).map(({ channel }) => channel);
  const channel: ProjectChannel = first ?? NO_SUBSCRIPTION.channel;
  const form = useRequestForm({ initialValues: { ...NO_SUBSCRIPTION, channel } });
  const subscribe = subscribeOf(form.getValues());

  const read = form.sends(async (values) => {
    const { fileUuid, region, mapping, headerRow } = list;
    const input = { fileUuid, region, mapping, headerRow, subscribe: subscribeOf(values) };
    const { data, error } = await client.mutation(ImportContacts, { input }, keys.of(input)).toPromise();
    if (!data?.importContacts) return error;
    keys.renew();
    onRead(data.importContacts.uuid, values.topicUuids);
  });

  return (
    <FormDialog
      title={t("contactLists.subscribeThem")}
      form={form}
      onSubmit={read}
      action={t("subscriptions.subscribe")}
      disabled={(!subscribe && t("subscriptions.needTopic")) || !subscribe?.evidence}
      onClose={onClose}
    >
      <Subscription form={form} hasConsent={false} />
    </FormDialog>
  );
}
