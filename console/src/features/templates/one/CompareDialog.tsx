import { Alert, Group, Loader, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import type { VersionRowFragment } from "../../../gql/graphql";
import classes from "../templates.module.css";
import { linesOf } from "./diff";
import { Differences } from "./documents";

interface Props {
  versions: readonly VersionRowFragment[];
  /** the version that is compared at first */
  first: string | null;
  onClose: () => void;
}

const SIGNS = { added: "+", removed: "−", same: " ", hunk: " " } as const;

/** Shows in which lines two versions differ. */
export function CompareDialog({ versions, first, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  useFocusBack();
  const at = Math.max(
    versions.findIndex(({ uuid }) => uuid === first),
    0,
  );
  const [later, setLater] = useState(versions[at]?.uuid ?? "");
  const [earlier, setEarlier] = useState((versions[at + 1] ?? versions[at - 1])?.uuid ?? "");
  const same = later === earlier;
  const { data, current, problem, loading, reload } = useLoaded(
    Differences,
    { id: later, against: earlier },
    same || !later || !earlier,
  );
  const shown = current && !same ? data?.templateVersionDiff : null;
  const choices = versions.map(({ uuid, number, name, locales, updatedAt }) => ({
    value: uuid,
    label:
      number == null
        ? `${t("templates.draft")} · ${locales.join(", ")} · ${format.time(updatedAt)}`
        : t("templates.numbered", { number }) + (name ? ` · ${name}` : ""),
  }));
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t("templates.compareTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="sm">
        <Group grow align="flex-start">
          <Select
            label={t("templates.earlier")}
            allowDeselect={false}
            value={earlier}
            onChange={(value) => value && setEarlier(value)}
            data={choices}
          />
          <Select
            label={t("templates.later")}
            allowDeselect={false}
            value={later}
            onChange={(value) => value && setLater(value)}
            data={choices}
          />
        </Group>
        {loading && <Loader size="sm" aria-label={t("common.loading")} />}
        {problem && !same && <ProblemNotice problem={problem} onRetry={reload} />}
        <div role="status">
          {(same || (shown && shown.parts.length === 0 && !shown.layout)) && (
            <Text size="sm">{t("templates.noDifference")}</Text>
          )}
          {shown?.layout && <Alert color="blue">{t("templates.otherLayout")}</Alert>}
        </div>
        {shown?.parts.map(({ locale, part, difference, truncated }) => (
          <div key={`${locale} ${part}`}>
            <Text size="sm" fw={500} mb={4}>
              {locale} · {t(`templates.parts.${part}`)}
            </Text>
            <pre
              className={classes.diff}
              tabIndex={0}
              role="group"
              aria-label={`${locale} · ${t(`templates.parts.${part}`)}`}
            >
              {linesOf(difference).map((line, index) => (
                <span key={index} data-kind={line.kind}>
                  {SIGNS[line.kind]} {line.text}
                  {"\n"}
                </span>
              ))}
            </pre>
            {truncated && (
              <Text size="xs" c="dimmed">
                {t("templates.truncated")}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Modal>
  );
}
