import { Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  IconQuestionMark,
} from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import type { FindingFieldsFragment } from "../../gql/graphql";
import classes from "./domains.module.css";
import { RecordLines } from "./RecordLines";

const ICONS = {
  error: { Icon: IconExclamationCircle, color: "red" },
  warning: { Icon: IconAlertTriangle, color: "yellow" },
  unknown: { Icon: IconQuestionMark, color: "gray" },
  ok: { Icon: IconCircleCheck, color: "teal" },
} as const;
const ORDER = ["error", "warning", "unknown", "ok"] as const;

/** What the DNS says about a domain: first what is wrong, with the record that corrects it. */
export function Findings({ findings }: { findings: readonly FindingFieldsFragment[] }) {
  const { t } = useTranslation();
  const sorted = ORDER.flatMap((state) => findings.filter((finding) => finding.state === state));
  return (
    <ul className={classes.findings}>
      {sorted.map((finding, index) => {
        const { Icon, color } = ICONS[finding.state];
        return (
          <li key={index}>
            <Icon
              size={18}
              color={`var(--mantine-color-${color}-6)`}
              role="img"
              aria-label={t(`domains.findingStates.${finding.state}`)}
            />
            <Text size="sm" fw={500}>
              {t(`domains.topics.${finding.topic}`)}
            </Text>
            <div>
              <Text size="sm">{finding.text}</Text>
              {finding.recordName && finding.recordValue && (
                <RecordLines name={finding.recordName} value={finding.recordValue} />
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
