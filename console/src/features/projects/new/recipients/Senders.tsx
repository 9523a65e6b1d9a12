import { Anchor, Checkbox, Select, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { useBilling } from "../../../../frame/billing";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { needsSenders } from "../draft";
import type { DraftState } from "../useDraft";

interface Props {
  state: DraftState;
  choices: ProjectChoicesQuery | undefined;
}

/** Who pays, if there is a choice, and for messengers from whom the messages come. */
export function Senders({ state, choices }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const { draft, set } = state;
  const accounts = choices?.accounts?.nodes ?? [];
  const senders = (choices?.sourceAccounts?.nodes ?? []).filter(
    ({ source, status }) => source === draft.channel && status !== "deleted",
  );
  return (
    <>
      {accounts.length > 1 && (
        <Select
          mt="sm"
          maw={420}
          label={t("making.account")}
          placeholder={t("send.oldestAccount")}
          value={draft.accountId}
          allowDeselect={false}
          data={accounts.map(({ uuid, name, balance, currency }) => ({
            value: uuid,
            label: isFree ? name : `${name} (${format.money(balance, currency)})`,
          }))}
          onChange={(accountId) => set({ accountId })}
        />
      )}
      {needsSenders(draft.channel) && (
        <Checkbox.Group
          mt="sm"
          label={t("making.senders")}
          description={t("making.sendersHint")}
          value={draft.accountUuids}
          onChange={(accountUuids) => set({ accountUuids })}
        >
          <Stack gap={6} mt={6}>
            {senders.map(({ uuid, name, login, status }) => (
              <Checkbox
                key={uuid}
                value={uuid}
                label={`${name}${name === login ? "" : ` (${login})`} · ${t(`making.senderStates.${status}`)}`}
              />
            ))}
            {choices && senders.length === 0 && (
              <Text size="sm">
                {t("making.noSenders")}{" "}
                <Anchor component={Link} to="/senders?add=1" size="sm">
                  {t("making.addSender")}
                </Anchor>
              </Text>
            )}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
