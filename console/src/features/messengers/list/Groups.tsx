import { UnstyledButton } from "@mantine/core";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import type { MessengerAccountCountsQuery } from "../../../gql/graphql";
import classes from "../messengers.module.css";
import { GROUP_NAMES, type Group } from "../states";

interface Props {
  counts: MessengerAccountCountsQuery | undefined;
  chosen: Group | null;
  onChoose: (group: Group | null) => void;
}

/** How many accounts are in which kind of state. A number is also the filter for it. */
export function Groups({ counts, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div role="group" aria-label={t("messengers.columns.state")} className={classes.groups}>
      {([null, ...GROUP_NAMES] as const).map((group) => {
        const count = counts?.[group ?? "all"]?.totalCount;
        return (
          <UnstyledButton
            key={group ?? "all"}
            className={classes.group}
            data-group={group ?? "all"}
            data-some={Boolean(count) || undefined}
            aria-pressed={chosen === group}
            onClick={() => onChoose(group)}
          >
            <span className={classes.count}>{count === undefined ? "–" : format.number(count)}</span>
            <span>{t(`messengers.groups.${group ?? "all"}`)}</span>
          </UnstyledButton>
        );
      })}
    </div>
  );
}
