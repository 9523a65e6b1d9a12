import { Menu, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { useTranslation } from "../../i18n";
import { SCHEME_ICONS, SCHEMES } from "../schemes";
import { OpenedMenu, type MenuOfButton } from "./OpenedMenu";

export default function ThemeMenu({ button }: MenuOfButton) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <OpenedMenu button={button}>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
        {SCHEMES.map((scheme) => {
          const Icon = SCHEME_ICONS[scheme];
          return (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} />} closeMenuOnClick>
              {t(`theme.${scheme}`)}
            </Menu.RadioItem>
          );
        })}
      </Menu.RadioGroup>
    </OpenedMenu>
  );
}
