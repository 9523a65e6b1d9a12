import { Button, Group, Text } from "@mantine/core";

interface Props {
  label: string;
  variables: readonly { name: string; label: string | null }[];
  onInsert: (name: string) => void;
}

/** The variables that a text can have: a click puts one in. */
export function VariableBar({ label, variables, onInsert }: Props) {
  return (
    <Group gap={6} role="group" aria-label={label}>
      <Text size="xs" c="dimmed">
        {label}:
      </Text>
      {variables.map(({ name, label }) => (
        <Button
          key={name}
          {...(label && { title: label })}
          variant="default"
          size="compact-xs"
          fw={400}
          // The text keeps its cursor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onInsert(name)}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
