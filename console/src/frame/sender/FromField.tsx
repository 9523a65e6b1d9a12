import { Autocomplete } from "@mantine/core";
import type { ReactNode } from "react";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { choicesFor } from "./addresses";
import { SenderDomains } from "./documents";

interface Props {
  value?: string;
  onChange: (value: string) => void;
  error?: ReactNode;
}

/** The From of an email, in one of the owner's verified domains. Without such a domain there is nothing to choose. */
export function FromField({ value = "", ...props }: Props) {
  const { t } = useTranslation();
  const { may, ownerUuid, uses } = useViewer();
  // An administrator sees all domains, and emails are sent from those of their owner.
  const where = { ownerId: { eq: ownerUuid } };
  const senders = { ...where, channel: { eq: "email" }, state: { eq: "approved" } } as const;
  const { data } = useLoaded(SenderDomains, { where, senders }, !may("senders:read") || !uses("mail"));
  const verified = data?.domains?.nodes.filter(({ status }) => status === "verified") ?? [];
  const domains = verified.map(({ name }) => name);
  const listed = data?.senders?.nodes.map((sender) => sender.value) ?? [];
  if (domains.length === 0 && !value) return null;
  return (
    <Autocomplete
      {...props}
      value={value}
      label={t("from.label")}
      description={domains.length > 0 && t("from.hint", { domains: domains.slice(0, 5).join(", ") })}
      placeholder={t("from.channels")}
      maxLength={320}
      limit={10}
      data={choicesFor(value, listed, domains)}
      filter={({ options }) => options}
    />
  );
}
