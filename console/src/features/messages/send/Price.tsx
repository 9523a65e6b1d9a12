import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { useFormat } from "../../../frame/values/format";
import type { ChoicesQuery } from "../../../gql/graphql";
import { Segments } from "./documents";
import type { Draft } from "./draft";

const TYPING_MS = 600;

/** What the message will cost; an SMS is counted by the server. */
export function Price({ draft, choices }: { draft: Draft; choices: ChoicesQuery | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const [body] = useDebouncedValue(draft.body, TYPING_MS);
  const isSms = draft.channel === "sms";
  // The text is a variable of the preview, so that braces in it are only text.
  const preview = useLoaded(Segments, { variables: { body } }, !isSms || !body);
  const segments = isSms && body ? (preview.data?.previewMessage?.segments ?? null) : 1;
  const accounts = choices?.accounts?.nodes ?? [];
  const account = accounts.find(({ uuid }) => uuid === draft.account) ?? accounts.at(-1);
  const prices = choices?.tariff?.prices as Record<string, Record<string, number> | undefined> | undefined;
  const price = account ? prices?.[account.currency]?.[draft.channel] : undefined;
  const parts = [
    isSms && body && segments !== null ? t("send.segments", { count: segments }) : "",
    account && price !== undefined && segments !== null && !isFree
      ? format.money(price * segments, account.currency)
      : "",
  ].filter(Boolean);
  return (
    <Text size="xs" c="dimmed" mih={18} role="status">
      {parts.join(" · ")}
    </Text>
  );
}
