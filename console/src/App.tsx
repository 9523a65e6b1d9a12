import { Center, Loader, localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { lazy, Suspense } from "react";
import { BrowserRouter, Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { AreaTexts, Translations } from "./frame/i18n";
import type { Area } from "./frame/i18n/areas";
import { internalPath } from "./frame/internalPath";
import { styleNonce } from "./frame/nonce";
import { SessionProvider, useSession } from "./frame/session";
import { Shell } from "./frame/shell/Shell";
import { Unreachable } from "./frame/shell/Unreachable";
import { theme } from "./frame/theme";
import { NotFound } from "./frame/ui/NotFound";
import { PageBoundary } from "./frame/ui/PageBoundary";

const LoginPage = lazy(() => import("./features/login/LoginPage"));
const OverviewPage = lazy(() => import("./features/overview/OverviewPage"));
const MessagesPage = lazy(() => import("./features/messages/MessagesPage"));
const MessagePage = lazy(() => import("./features/messages/MessagePage"));
const InboxPage = lazy(() => import("./features/inbox/InboxPage"));
const ProjectsPage = lazy(() => import("./features/projects/list/ProjectsPage"));
const NewProjectPage = lazy(() => import("./features/projects/new/NewProjectPage"));
const ProjectPage = lazy(() => import("./features/projects/one/ProjectPage"));
const RepeatablePage = lazy(() => import("./features/projects/repeatable/RepeatablePage"));
const OneRepeatablePage = lazy(() => import("./features/projects/repeatable/OneRepeatablePage"));
const EditRepeatablePage = lazy(() => import("./features/projects/repeatable/EditRepeatablePage"));
const NewRepeatablePage = lazy(() => import("./features/projects/repeatable/NewRepeatablePage"));
const BlocksPage = lazy(() => import("./features/blocks/BlocksPage"));
const SystemHealthPage = lazy(() => import("./features/system/HealthPage"));
const SystemSendingPage = lazy(() => import("./features/system/SendingPage"));
const SystemAllowlistPage = lazy(() => import("./features/system/AllowlistPage"));
const SettingsPage = lazy(() => import("./features/settings/SettingsPage"));
const StoragePage = lazy(() => import("./features/settings/StoragePage"));
const AccountsPage = lazy(() => import("./features/accounts/AccountsPage"));
const AccountPage = lazy(() => import("./features/accounts/AccountPage"));
const UsersPage = lazy(() => import("./features/users/UsersPage"));
const UserPage = lazy(() => import("./features/users/UserPage"));
const InvitationPage = lazy(() => import("./features/users/InvitationPage"));
const LoggedIn = lazy(() =>
  import("./features/users/InvitationPage").then(({ LoggedIn }) => ({ default: LoggedIn })),
);
const TariffsPage = lazy(() => import("./features/tariffs/TariffsPage"));
const TariffPage = lazy(() => import("./features/tariffs/TariffPage"));
const NewTariffPage = lazy(() => import("./features/tariffs/NewTariffPage"));
const DeveloperPage = lazy(() => import("./features/developer/start/DeveloperPage"));
const EventsPage = lazy(() => import("./features/developer/events/EventsPage"));
const TokensPage = lazy(() => import("./features/developer/tokens/TokensPage"));
const WebhooksPage = lazy(() => import("./features/developer/webhooks/WebhooksPage"));
const NewWebhookPage = lazy(() => import("./features/developer/webhooks/NewWebhookPage"));
const WebhookPage = lazy(() => import("./features/developer/webhooks/WebhookPage"));
const HookSecretsPage = lazy(() => import("./features/developer/hooks/HookSecretsPage"));
const MessengersPage = lazy(() => import("./features/messengers/list/MessengersPage"));
const NewMessengerPage = lazy(() => import("./features/messengers/new/NewMessengerPage"));
const MessengerPage = lazy(() => import("./features/messengers/one/MessengerPage"));
const ProfilePage = lazy(() => import("./features/profile/ProfilePage"));

const colorSchemes = localStorageColorSchemeManager({ key: "postern-console-theme" });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => styleNonce}
    >
      <SessionProvider>
        <Translated />
      </SessionProvider>
    </MantineProvider>
  );
}

function Translated() {
  const { state } = useSession();
  // The user's locale decides only where the user has not chosen, so it must be known first.
  if (state.phase === "starting") return <Waiting />;
  return (
    <Translations locale={state.phase === "in" ? state.viewer.locale : null}>
      <BrowserRouter basename="/console">
        <Pages />
      </BrowserRouter>
    </Translations>
  );
}

function Pages() {
  const { state } = useSession();
  const location = useLocation();
  if (state.phase === "unreachable") return <Unreachable problem={state.problem} />;
  if (state.phase !== "in") {
    const here = location.pathname + location.search + location.hash;
    const next = here === "/" ? "" : `?next=${encodeURIComponent(here)}`;
    return (
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/login" element={<LoginPage />} />
          <Route element={<Later area="operator" />}>
            <Route path="/invitation" element={<InvitationPage />} />
          </Route>
          <Route path="*" element={<Navigate to={`/login${next}`} replace />} />
        </Routes>
      </Suspense>
    );
  }
  return (
    <Shell>
      <PageBoundary key={pageOf(location.pathname)}>
        <Suspense fallback={<Waiting />}>
          <Routes>
            <Route path="/" element={<OverviewPage />} />
            <Route element={<Later area="messages" />}>
              <Route path="/messages" element={<MessagesPage />} />
              <Route path="/messages/:uuid" element={<MessagePage />} />
              <Route element={<Later area="campaigns" />}>
                <Route path="/projects" element={<ProjectsPage />} />
                <Route path="/projects/new" element={<NewProjectPage />} />
                <Route path="/projects/:uuid" element={<ProjectPage />} />
                <Route path="/repeatable" element={<RepeatablePage />} />
                <Route path="/repeatable/new" element={<NewRepeatablePage />} />
                <Route path="/repeatable/:uuid" element={<OneRepeatablePage />} />
                <Route path="/repeatable/:uuid/edit" element={<EditRepeatablePage />} />
                <Route path="/blocks" element={<BlocksPage />} />
              </Route>
              <Route element={<Later area="operator" />}>
                <Route path="/accounts" element={<AccountsPage />} />
                <Route path="/accounts/:uuid" element={<AccountPage />} />
                <Route path="/users" element={<UsersPage />} />
                <Route path="/users/:uuid" element={<UserPage />} />
                <Route path="/invitation" element={<LoggedIn />} />
                <Route path="/tariffs" element={<TariffsPage />} />
                <Route path="/tariffs/new" element={<NewTariffPage />} />
                <Route path="/tariffs/:code" element={<TariffPage />} />
                <Route path="/settings" element={<SettingsPage />} />
                <Route path="/settings/storage" element={<StoragePage />} />
                <Route path="/system" element={<SystemHealthPage />} />
                <Route path="/system/sending" element={<SystemSendingPage />} />
                <Route path="/system/allowlist" element={<SystemAllowlistPage />} />
              </Route>
              <Route element={<Later area="developer" />}>
                <Route path="/developer" element={<DeveloperPage />} />
                <Route path="/events" element={<EventsPage />} />
                <Route path="/tokens" element={<TokensPage />} />
                <Route path="/webhooks" element={<WebhooksPage />} />
                <Route path="/webhooks/new" element={<NewWebhookPage />} />
                <Route path="/webhooks/:uuid" element={<WebhookPage />} />
                <Route path="/hook-secrets" element={<HookSecretsPage />} />
              </Route>
              <Route element={<Later area="messengers" />}>
                <Route path="/inbox/:account?/:chat?" element={<InboxPage />} />
                <Route path="/messengers" element={<MessengersPage />} />
                <Route path="/messengers/new" element={<NewMessengerPage />} />
                <Route path="/messengers/:uuid" element={<MessengerPage />} />
              </Route>
            </Route>
            <Route path="/profile" element={<ProfilePage />} />
            <Route path="/login" element={<AfterLogin />} />
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

/** Names the page of an address. The inbox is one page: its list stays while another chat is opened. */
function pageOf(pathname: string): string {
  return pathname.startsWith("/inbox/") ? "/inbox" : pathname;
}

/** Pages whose texts are loaded with them. */
function Later({ area }: { area: Area }) {
  return (
    <AreaTexts area={area} waiting={<Waiting />}>
      <Outlet />
    </AreaTexts>
  );
}

/** Leads from the login back to where the user was. */
function AfterLogin() {
  const { search } = useLocation();
  return <Navigate to={internalPath(new URLSearchParams(search).get("next"))} replace />;
}

function Waiting() {
  return (
    <Center mih="40dvh">
      <Loader size="sm" />
    </Center>
  );
}
