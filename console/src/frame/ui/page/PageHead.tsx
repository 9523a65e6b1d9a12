import { Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** beside the title: a state, or how fresh the numbers are */
  note?: ReactNode;
  /** the buttons; the last one is what somebody most likely wants */
  children?: ReactNode;
}

/** The head of a page: its title at the start, its buttons at the end. */
export function PageHead({ title, note, children }: Props) {
  return (
    <Group justify="space-between" mih={30} gap="xs">
      <Group gap="sm">
        <Title order={1}>{title}</Title>
        {note}
      </Group>
      {children && <Group gap={6}>{children}</Group>}
    </Group>
  );
}
