import { useTranslation } from "../i18n";

// Codes of channels, grouped by what a person can do about them.
const GROUPS = {
  recipient: [
    "invalid_recipient",
    "mailbox_unavailable",
    "hard_bounce",
    "user_unknown",
    "unregistered",
    "recipient_not_found",
    "privacy",
  ],
  blocked: ["recipient_blocked", "blocked", "unsubscribed"],
  expired: ["expired"],
  text: [
    "message_too_long",
    "text_too_long",
    "too_long",
    "too_large",
    "invalid_text",
    "invalid_content",
    "template_mismatch",
    "content_refused",
    "missing_variable",
    "empty_message",
  ],
  attachment: ["attachment_missing", "media_gone", "media_too_large", "media_unavailable", "bad_media"],
  provider: [
    "bad_credentials",
    "credentials_missing",
    "channel_broke",
    "no_route",
    "sender_refused",
    "policy_refused",
    "sender_gone",
    "tls_required",
    "tls_failed",
    "tls_certificate",
    "wrong_address",
    "unsupported",
  ],
  temporary: [
    "throttled",
    "mailbox_full",
    "not_delivered",
    "bounced",
    "server_busy",
    "server_error",
    "unreachable",
    "connect_failed",
    "connect_timeout",
    "unavailable",
    "not_taken",
    "disconnected",
    "messenger_unavailable",
  ],
  uncertain: ["timeout", "connection_lost", "worker_died", "uncertain", "crashed", "bad_answer"],
  rejected: ["rejected", "refused", "bounced"],
} as const;

type Group = keyof typeof GROUPS | "other";

export function failureGroup(code: string): Group {
  const group = Object.entries(GROUPS).find(([, codes]) => (codes as readonly string[]).includes(code));
  return (group?.[0] as Group | undefined) ?? "other";
}

/** Explains a failure code: what has happened, and what to do next. */
export function useFailure(code: string | null): { what: string; next: string } | null {
  const { t } = useTranslation();
  if (!code) return null;
  const group = failureGroup(code);
  return { what: t(`failures.${group}.what`, { code }), next: t(`failures.${group}.next`) };
}
