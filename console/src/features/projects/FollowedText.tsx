import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import type { StepUntil } from "../../gql/graphql";
import { spanText } from "./new/follow";

interface Props {
  /** the project that is followed; null if it is there no more */
  project: { uuid: string; name: string } | null;
  until: StepUntil;
  within: number;
}

/** Says in a sentence whom a follow-up goes to. The name of the project that it follows leads there. */
export function FollowedText({ project, until, within }: Props) {
  const { t, language } = useTranslation();
  const values = { state: t(`following.states.${until}`), duration: spanText(language, within) };
  if (!project) return t("following.fact", { ...values, name: t("following.another") });
  const [before, after] = t("following.fact", { ...values, name: "\n" }).split("\n");
  return (
    <>
      {before}
      <Anchor component={Link} to={`/projects/${project.uuid}`} size="sm">
        {project.name}
      </Anchor>
      {after}
    </>
  );
}
