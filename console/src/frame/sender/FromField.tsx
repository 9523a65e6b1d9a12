import { Autocomplete } from "@mantine/core";
import type { ReactNode } from "react";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { addressesFor } from "./addresses";
import { SenderDomains } from "./documents";

interface Props {
  value?: string;
  onChange: (value: string) => void;
  error?: ReactNode;
}

/** The From of an email, in one of the owner's verified domains. Without such a domain there is nothing to choose. */
export function FromField({ value = "", ...props }: Props) {
  const { t } = useTranslation();
  const { may, ownerUuid } = useViewer();
  // An administrator sees all domains, and emails are sent from those of their owner.
  const where = { ownerId: { eq: ownerUuid } };
  const { data } = useLoaded(SenderDomains, { where }, !may("senders:read"));
  const verified = data?.domains?.nodes.filter(({ status }) => status === "verified") ?? [];
  const domains = verified.map(({ name }) => name);
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
      data={addressesFor(value, domains)}
      filter={({ options }) => options}
    />
  );
}
