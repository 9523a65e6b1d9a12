import { Menu, Text } from "@mantine/core";
import { IconLogout, IconUser, IconUsersMinus } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { actFor, acting } from "../../api/owner";
import { useTranslation } from "../../i18n";
import { chooseLanguage, LANGUAGES, type Language } from "../../preferences";
import { nameOf } from "../../rights";
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
      {viewer.memberships.length > 0 && (
        <>
          <Owners />
          <Menu.Divider />
        </>
      )}
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

const ONESELF = "";

/** For whom this tab acts: the person themselves, or an owner whose member the person is. */
function Owners() {
  const { t } = useTranslation();
  const { uuid, email, memberships } = useViewer();
  const current = acting()?.owner ?? ONESELF;

  function choose(value: string) {
    if (value === current) return;
    const chosen = memberships.find(({ ownerUuid }) => ownerUuid === value);
    actFor(chosen ? { owner: chosen.ownerUuid, name: nameOf(chosen), person: uuid, email } : null);
  }

  return (
    <>
      <Menu.Label>{t("acting.choose")}</Menu.Label>
      <Menu.RadioGroup value={current} onChange={choose}>
        <Menu.RadioItem value={ONESELF}>{t("acting.oneself")}</Menu.RadioItem>
        {memberships.map((membership) => (
          <Menu.RadioItem
            key={membership.uuid}
            value={membership.ownerUuid}
            aria-label={t("profile.actFor", { name: nameOf(membership) })}
          >
            <span style={{ overflowWrap: "anywhere" }}>{nameOf(membership)}</span>
            <Text size="xs" c="dimmed">
              {t(`acting.roles.${membership.role}`)}
            </Text>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
