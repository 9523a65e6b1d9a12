import { Menu, Text } from "@mantine/core";
import { IconLogout, IconUser, IconUsersMinus } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { useTranslation } from "../../i18n";
import { chooseLanguage, LANGUAGES, type Language } from "../../preferences";
import { useSession, useViewer } from "../../session";
import { LANGUAGE_NAMES } from "../LanguageSwitch";
import { askLogoutEverywhere } from "../LogoutEverywhere";
import { OpenedMenu, type MenuOfButton } from "./OpenedMenu";

export default function UserMenu({ button }: MenuOfButton) {
  const { t, language } = useTranslation();
  const viewer = useViewer();
  const session = useSession();
  const navigate = useNavigate();
  return (
    <OpenedMenu button={button} width={240}>
      <Menu.Label>
        <Text size="sm" fw={600} c="bright" truncate>
          {viewer.displayName || viewer.email}
        </Text>
        <Text size="xs" truncate>
          {viewer.email}
          {viewer.isAdmin && ` · ${t("account.administrator")}`}
        </Text>
      </Menu.Label>
      <Menu.Item leftSection={<IconUser size={16} />} onClick={() => void navigate("/profile")}>
        {t("account.profile")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{t("language.choose")}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(value) => chooseLanguage(value as Language)}>
        {LANGUAGES.map((item) => (
          <Menu.RadioItem key={item} value={item} lang={item} closeMenuOnClick>
            {LANGUAGE_NAMES[item]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => session.logout("loggedOut")}>
        {t("account.logout")}
      </Menu.Item>
      <Menu.Item leftSection={<IconUsersMinus size={16} />} onClick={askLogoutEverywhere}>
        {t("account.logoutEverywhere")}
      </Menu.Item>
    </OpenedMenu>
  );
}
