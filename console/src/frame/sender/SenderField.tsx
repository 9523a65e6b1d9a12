import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { ApprovedSenders, SenderChoice } from "./documents";

interface Props {
  value?: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  /** the recipient, for whom it says which sender the message will have */
  to?: string;
}

const TYPING_MS = 600;

/** The sender of SMS, one of the owner's that are approved. Without one there is nothing to choose. */
export function SenderField({ value = "", onChange, error, to = "" }: Props) {
  const { t } = useTranslation();
  const { may, ownerUuid, uses } = useViewer();
  const skipped = !may("senders:read") || !uses("trade");
  // An administrator sees all senders, and SMS are sent from those of their owner.
  const where = { ownerId: { eq: ownerUuid }, channel: { eq: "sms" }, state: { eq: "approved" } } as const;
  const { data } = useLoaded(ApprovedSenders, { where }, skipped);
  const [recipient] = useDebouncedValue(to.trim(), TYPING_MS);
  const asked = { to: recipient, sender: value };
  const choice = useLoaded(SenderChoice, asked, !value || !recipient || skipped);
  const approved = data?.senders?.nodes.map((sender) => sender.value) ?? [];
  if (approved.length === 0 && !value) return null;
  return (
    <Select
      clearable
      searchable={approved.length > 10}
      label={t("from.label")}
      description={value && recipient ? choice.data?.senderChoice?.why : undefined}
      placeholder={t("from.channels")}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? "")}
      error={error}
      data={[...new Set([...approved, ...(value ? [value] : [])])]}
    />
  );
}
