import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import type { ApprovalRowFragment } from "../../../../gql/graphql";
import classes from "../approvals.module.css";
import { useChangedText } from "../useChangedText";

const COLORS = { approved: "teal", refused: "red", withdrawn: "gray", void: "orange" } as const;

/** What became of the request: who has decided and why, or what was changed and by whom. */
export function Outcome({ approval }: { approval: ApprovalRowFragment }) {
  const { state, note, sendingProject } = approval;
  const { t } = useTranslation();
  const said = useOutcome()(approval);
  if (state === "asked" || said === null) return null;
  return (
    <Alert role="status" color={COLORS[state]} title={said.title}>
      <Text size="sm">
        {said.next}{" "}
        {sendingProject && (
          <Anchor component={Link} to={`/projects/${sendingProject.uuid}`} size="sm">
            {t("approvals.toProject")}
          </Anchor>
        )}
      </Text>
      {note && (state === "approved" || state === "refused") && (
        <blockquote className={classes.note} dir="auto">
          {note}
        </blockquote>
      )}
    </Alert>
  );
}

/** Says what became of a request, and what follows; null: it waits. */
export function useOutcome(): (approval: ApprovalRowFragment) => { title: string; next: string } | null {
  const { t } = useTranslation();
  const format = useFormat();
  const changedText = useChangedText();
  return ({ state, decidedAt, decidedByEmail, voidedByEmail, expiresAt, changed }) => {
    if (state === "asked") return null;
    const kind = state === "void" && changed === "plan" ? "newPlan" : state;
    const values = {
      time: decidedAt ? format.time(decidedAt) : "",
      person: (state === "void" ? voidedByEmail : decidedByEmail) ?? t("approvals.nobody"),
      until: format.fullTime(expiresAt),
      fields: changedText(changed),
    };
    return { title: t(`approvals.outcome.${kind}`, values), next: t(`approvals.next.${kind}`, values) };
  };
}
