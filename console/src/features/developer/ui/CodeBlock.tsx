import { Group, Stack, Text } from "@mantine/core";
import classes from "../developer.module.css";
import { useTranslation } from "../../../frame/i18n";
import { CopyButton } from "../../../frame/ui/CopyButton";

interface Props {
  title: string;
  code: string;
  /** whether long lines are broken, for answers of other servers */
  wrapped?: boolean;
}

/** Code with a button that copies it. */
export function CodeBlock({ title, code, wrapped = false }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="xs" fw={600} c="dimmed">
          {title}
        </Text>
        <CopyButton text={code} label={t("common.copyOf", { what: title })} />
      </Group>
      <pre
        className={`${classes.code} ${wrapped ? classes.wrapped : ""}`}
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        {code}
      </pre>
    </Stack>
  );
}

/** JSON, as people read it. */
export function Json({ title, value }: { title: string; value: unknown }) {
  return <CodeBlock title={title} code={JSON.stringify(value, null, 2)} />;
}
