import type { MantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

export const SCHEMES: MantineColorScheme[] = ["light", "dark", "auto"];
export const SCHEME_ICONS = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };
