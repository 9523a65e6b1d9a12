import { Code, Group } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { CopyButton } from "../../../frame/ui/CopyButton";

const SHOWN = 12;

/** The beginning of a plan's hash, with a button that copies all of it. */
export function Hash({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Code title={value}>{value.slice(0, SHOWN)}…</Code>
      <CopyButton small text={value} label={t("approvals.copyHash")} />
    </Group>
  );
}
