import { Stack } from "@mantine/core";
import type { ReactNode } from "react";

/** What a page has below its head if it is a form: lines of fields are not as wide as a table. */
export function Narrow({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" maw={760}>
      {children}
    </Stack>
  );
}
