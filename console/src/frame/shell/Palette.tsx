import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { openSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import {
  IconBan,
  IconBell,
  IconFileUpload,
  IconFilter,
  IconForms,
  IconLanguage,
  IconLogout,
  IconMailSearch,
  IconMessages,
  IconMoon,
  IconSearch,
  IconSend,
  IconSun,
  IconUser,
  IconUsersGroup,
} from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { usePageNames } from "../billing";
import { useTranslation } from "../i18n";
import { useNavigate } from "react-router";
import { phoneIn, usernameIn } from "../values/phone";
import { chooseLanguage, LANGUAGES } from "../preferences";
import { useSession, useViewer } from "../session";
import { LANGUAGE_NAMES } from "./LanguageSwitch";
import { pagesFor } from "./navigation";
import { synonymsOf } from "./synonyms";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The parts of the pages on contacts, which the menu does not have. */
const PARTS = [
  { path: "/contacts/import", title: "palette.importContacts", icon: IconFileUpload },
  { path: "/contacts/topics", title: "palette.topics", icon: IconBell },
  { path: "/contacts/segments", title: "palette.segments", icon: IconFilter },
  { path: "/contacts/forms", title: "palette.forms", icon: IconForms },
] as const;

/** Where to look for a message, given what somebody has typed; null if it is neither an id nor an address. */
export function messageSearch(typed: string): string | null {
  const text = typed.trim();
  if (UUID.test(text)) return `/messages/${text.toLowerCase()}`;
  const phone = phoneIn(text);
  if (phone) return `/messages?to=${encodeURIComponent(phone)}`;
  if (/^\S+@\S+\.\S+$/.test(text)) return `/messages?to=${encodeURIComponent(text)}`;
  return null;
}

/** The phone or the username of a messenger that somebody has typed; null if it is neither. */
export function chatAddress(typed: string): string | null {
  const phone = phoneIn(typed, 7);
  return usernameIn(typed) ?? (phone && `+${phone.replace("+", "")}`);
}

export default function Palette() {
  const { t } = useTranslation();
  const nameOf = usePageNames();
  const navigate = useNavigate();
  const session = useSession();
  const viewer = useViewer();
  const { setColorScheme } = useMantineColorScheme();
  const [query, setQuery] = useState("");
  useEffect(() => openSpotlight(), []);

  const go = (path: string) => () => void navigate(path);
  const messagesLink = messageSearch(query);
  const address = chatAddress(query);
  const actions: (SpotlightActionData | false)[] = [
    ...(messagesLink && viewer.may("messages:read")
      ? [
          {
            id: "find",
            label: t("palette.findMessage", { text: query.trim() }),
            keywords: [query],
            leftSection: <IconMailSearch size={18} stroke={1.6} />,
            onClick: go(messagesLink),
          },
        ]
      : []),
    ...(address && viewer.may("messengers:read") && viewer.uses("messengers")
      ? [
          {
            id: "chat",
            label: t("palette.openChat", { address }),
            keywords: [query],
            leftSection: <IconMessages size={18} stroke={1.6} />,
            onClick: go(`/inbox?to=${encodeURIComponent(address)}`),
          },
        ]
      : []),
    ...pagesFor(viewer).map(({ path, title, icon: Icon }) => ({
      id: path,
      label: nameOf(title),
      description: t("palette.goTo"),
      keywords: synonymsOf(path),
      leftSection: <Icon size={18} stroke={1.6} />,
      onClick: go(path),
    })),
    {
      id: "profile",
      label: t("account.profile"),
      description: t("palette.goTo"),
      leftSection: <IconUser size={18} stroke={1.6} />,
      onClick: go("/profile"),
    },
    viewer.may("messages:send") && {
      id: "send",
      label: t("palette.send"),
      leftSection: <IconSend size={18} stroke={1.6} />,
      onClick: go("/messages?send=1"),
    },
    viewer.may("projects:write") && {
      id: "new-project",
      label: t("palette.newProject"),
      keywords: synonymsOf("/projects/new"),
      leftSection: <IconUsersGroup size={18} stroke={1.6} />,
      onClick: go("/projects/new"),
    },
    ...(viewer.may("contacts:read") && viewer.uses("people")
      ? PARTS.map(({ path, title, icon: Icon }) => ({
          id: path,
          label: t(title),
          description: t("palette.goTo"),
          keywords: synonymsOf(path),
          leftSection: <Icon size={18} stroke={1.6} />,
          onClick: go(path),
        }))
      : []),
    viewer.may("blocks:write") && {
      id: "add-block",
      label: t("palette.addBlock"),
      leftSection: <IconBan size={18} stroke={1.6} />,
      onClick: go("/blocks?add=1"),
    },
    {
      id: "light",
      label: `${t("theme.choose")}: ${t("theme.light")}`,
      leftSection: <IconSun size={18} stroke={1.6} />,
      onClick: () => setColorScheme("light"),
    },
    {
      id: "dark",
      label: `${t("theme.choose")}: ${t("theme.dark")}`,
      leftSection: <IconMoon size={18} stroke={1.6} />,
      onClick: () => setColorScheme("dark"),
    },
    ...LANGUAGES.map((language) => ({
      id: `language-${language}`,
      label: `${t("language.choose")}: ${LANGUAGE_NAMES[language]}`,
      leftSection: <IconLanguage size={18} stroke={1.6} />,
      onClick: () => chooseLanguage(language),
    })),
    {
      id: "logout",
      label: t("account.logout"),
      leftSection: <IconLogout size={18} stroke={1.6} />,
      onClick: () => void session.logout("loggedOut"),
    },
    ...(query.trim() && !messagesLink && !address && viewer.may("projects:read")
      ? [
          {
            id: "find-project",
            label: t("palette.findProject", { text: query.trim() }),
            keywords: [query],
            leftSection: <IconSearch size={18} stroke={1.6} />,
            onClick: go(`/projects?name=${encodeURIComponent(query.trim())}`),
          },
        ]
      : []),
  ];
  return (
    <Spotlight
      actions={actions.filter((action) => action !== false)}
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      nothingFound={t("palette.nothing")}
      highlightQuery
      scrollable
      maxHeight={420}
      attributes={{ content: { "aria-label": t("palette.open") } }}
      transitionProps={{ duration: 0 }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: t("palette.placeholder"),
        "aria-label": t("palette.placeholder"),
      }}
    />
  );
}
