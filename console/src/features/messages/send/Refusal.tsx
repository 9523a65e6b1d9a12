import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { asAddress } from "../../../frame/values/phone";
import { messengerOf, type Draft } from "./draft";

const EXPLAINED = ["outside_window", "no_messenger_account"] as const;
type Explained = (typeof EXPLAINED)[number];

/** Returns the refusal that the dialog explains in its own words; null: the server's sentence says it. */
export function explained(problem: Problem | null): Explained | null {
  return EXPLAINED.find((code) => code === problem?.code) ?? null;
}

/** Says why a messenger does not take the message, and leads to where that can be changed. */
export function Refusal({ code, draft }: { code: Explained; draft: Draft }) {
  const { t } = useTranslation();
  const { may, uses } = useViewer();
  const messenger = messengerOf(draft.channel);
  const channel = t(`channels.${messenger ?? "whatsapp"}`);
  const address = asAddress(draft.to);
  const seesChats = uses("messengers") && may("messengers:read");
  const chat = code === "outside_window" && seesChats && address !== null;
  const connects = code === "no_messenger_account" && may("messengers:write");
  return (
    <Alert role="alert" color="red">
      <Text size="sm">{t(`send.refusals.${code}`, { to: draft.to.trim(), channel })}</Text>
      {chat && (
        <Anchor component={Link} to={`/inbox?to=${encodeURIComponent(address)}`} size="sm">
          {t("send.openChat")}
        </Anchor>
      )}
      {connects && (
        <Anchor component={Link} to="/messengers/new" size="sm">
          {t("send.connect", { channel })}
        </Anchor>
      )}
    </Alert>
  );
}
