import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** what is not there, in one sentence */
  text: string;
  /** what to do about it */
  hint?: string | undefined;
  /** the button that does it */
  children?: ReactNode;
}

/** In place of a list or a table that has nothing to show. */
export function Empty({ text, hint, children }: Props) {
  return (
    <Stack align="center" gap={6} py="xl" px="md" role="status">
      <Text size="sm" fw={500} ta="center" maw={480}>
        {text}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" ta="center" maw={480}>
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  );
}
