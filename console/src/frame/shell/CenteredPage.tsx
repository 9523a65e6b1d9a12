import { Box, Group, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { LanguageSwitch } from "./LanguageSwitch";
import { ThemeSwitch } from "./ThemeSwitch";

interface Props {
  /** of the card, in pixels */
  width?: number;
  /** what is free above it; less for a long form */
  top?: string;
  children: ReactNode;
  /** shown below the card */
  below?: ReactNode;
}

/** A page without the shell, for somebody who may not be logged in: one card below the name of the product. */
export function CenteredPage({ width = 380, top = "12dvh", children, below }: Props) {
  return (
    <Stack component="main" align="center" mih="100dvh" pt={top} px="md" gap="lg">
      <Group gap="sm">
        <img src="/console/icon.svg" width={36} height={36} alt="" />
        <Title order={1}>Postern</Title>
      </Group>
      <Paper p="lg" w="100%" maw={width}>
        {children}
      </Paper>
      {below && (
        <Box maw={width} w="100%">
          {below}
        </Box>
      )}
      <Group gap="xs">
        <LanguageSwitch />
        <ThemeSwitch />
      </Group>
    </Stack>
  );
}
