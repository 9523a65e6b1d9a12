import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Question } from "../../frame/ui/dialogs/Question";
import { useFormat } from "../../frame/values/format";
import type { MessengerRowFragment } from "../../gql/graphql";
import { LiftRestriction } from "./documents";

interface Props {
  account: MessengerRowFragment;
  onLifted: (account: MessengerRowFragment) => void;
}

/** Marks an account that may not write to everybody. */
export function RestrictionBadge({ account }: { account: MessengerRowFragment }) {
  const { t } = useTranslation();
  if (!account.restriction) return null;
  return (
    <Badge variant="light" color="orange" radius="sm" size="sm" tt="none" fw={500} miw="max-content">
      {t("messengers.restriction.badge")}
    </Badge>
  );
}

/** Says what the messenger does not let the account do, why and until when, and lets it try again. */
export function Restriction({ account, onLifted }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!account.restriction) return null;
  const { restrictedAt, restrictedUntil } = account;
  return (
    <Alert color="orange" role="status" title={t("messengers.restriction.title")}>
      <Stack gap={4}>
        <RestrictionText account={account} />
        <Text size="xs" c="dimmed">
          {[
            restrictedAt ? t("messengers.restriction.since", { time: format.fullTime(restrictedAt) }) : "",
            restrictedUntil
              ? t("messengers.restriction.until", { time: format.fullTime(restrictedUntil) })
              : t("messengers.restriction.noEnd"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      </Stack>
      <Group mt={4}>
        <LiftButton account={account} onLifted={onLifted} />
      </Group>
    </Alert>
  );
}

/** What the restriction is, and the messenger's reason. */
export function RestrictionText({ account }: { account: MessengerRowFragment }) {
  const { t, textOr } = useTranslation();
  const what = textOr(`messengers.restriction.what.${account.restriction}`, account.restriction ?? "");
  return (
    <Text size="sm">
      {what}{" "}
      {account.restrictionReason && t("messengers.restriction.reason", { reason: account.restrictionReason })}
    </Text>
  );
}

/** Lifts the restriction, after a question: an account that goes on too early may be banned. */
export function LiftButton({ account, onLifted }: Props) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const [asking, setAsking] = useState(false);
  if (!account.restriction || !may("messengers:write")) return null;
  return (
    <>
      <Button variant="default" size="compact-sm" mt={4} onClick={() => setAsking(true)}>
        {t("messengers.restriction.lift")}
      </Button>
      {asking && (
        <Question
          title={t("messengers.restriction.liftTitle", { name: account.name })}
          question={t("messengers.restriction.liftText", { messenger: t(`channels.${account.source}`) })}
          action={t("messengers.restriction.lift")}
          mutation={LiftRestriction}
          variables={{ id: account.uuid }}
          onDone={({ liftMessengerRestriction: lifted }) => {
            setAsking(false);
            if (lifted) onLifted(lifted);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
