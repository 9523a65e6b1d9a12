import { Alert, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp, IconCheck, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Question } from "../../../../frame/ui/dialogs/Question";
import { useTranslation } from "../../../../frame/i18n";
import { useViewer } from "../../../../frame/session";
import type { ApprovalDecisionKind, ApprovalRowFragment } from "../../../../gql/graphql";
import { WithdrawApproval } from "../documents";
import type { Review } from "../plan";
import { useOutcome } from "./Outcome";
import { DecideDialog } from "./DecideDialog";

interface Props {
  review: Review;
  /** something was decided, or can't be any more */
  onChanged: () => void;
}

/** The buttons that decide about the plan, or why there are none. */
export function Decision({ review, onChanged }: Props) {
  const { t } = useTranslation();
  const { may, uuid } = useViewer();
  const [deciding, setDeciding] = useState<ApprovalDecisionKind | null>(null);
  const [withdrawing, setWithdrawing] = useState(false);
  const { approval, isCurrent, mayDecide, whyNotCode } = review;
  const { state, sendingProject } = approval;
  const begun = sendingProject !== null && ["running", "paused", "finished"].includes(sendingProject.status);
  const isOpen = state === "asked" || (state === "approved" && !begun);
  if (!isOpen) return <Closed approval={approval} />;
  const done = () => {
    setDeciding(null);
    setWithdrawing(false);
    onChanged();
  };
  return (
    <Paper p="sm">
      <Stack gap="xs">
        <Title order={2}>{t(state === "asked" ? "approvals.decision" : "approvals.decided")}</Title>
        {!isCurrent ? (
          <Alert color="orange">{t("approvals.notCurrent")}</Alert>
        ) : mayDecide ? (
          <>
            <Text size="sm">
              {t(state === "asked" ? "approvals.decisionText" : "approvals.takeBackText")}
            </Text>
            <Group gap="xs">
              {state === "asked" && (
                <Button leftSection={<IconCheck size={14} />} onClick={() => setDeciding("approved")}>
                  {t("approvals.approve")}
                </Button>
              )}
              <Button
                variant="default"
                leftSection={<IconX size={14} />}
                onClick={() => setDeciding("refused")}
              >
                {t(state === "asked" ? "approvals.refuse" : "approvals.takeBack")}
              </Button>
            </Group>
          </>
        ) : (
          <Text size="sm">{whyNotCode && t(`approvals.whyNot.${whyNotCode}`)}</Text>
        )}
        {state === "asked" && may("projects:write") && approval.askedBy === uuid && (
          <Group>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconArrowBackUp size={14} />}
              onClick={() => setWithdrawing(true)}
            >
              {t("approvals.withdraw")}
            </Button>
          </Group>
        )}
      </Stack>
      {deciding && (
        <DecideDialog
          review={review}
          decision={deciding}
          onClose={() => setDeciding(null)}
          onDecided={done}
          onOutdated={onChanged}
        />
      )}
      {withdrawing && (
        <Question
          title={t("approvals.withdrawTitle")}
          question={t("approvals.withdrawText")}
          action={t("approvals.withdraw")}
          mutation={WithdrawApproval}
          variables={{ id: approval.uuid }}
          onDone={done}
          onClose={() => setWithdrawing(false)}
        />
      )}
    </Paper>
  );
}

/** Where the buttons were: what became of the plan, for somebody who has read down to here. */
function Closed({ approval }: { approval: ApprovalRowFragment }) {
  const { t } = useTranslation();
  const said = useOutcome()(approval);
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("approvals.closed")}
      </Title>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {said?.title}
      </Text>
    </Paper>
  );
}
