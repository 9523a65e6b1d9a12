import { lazy, Suspense } from "react";
import { Outlet, Route, Routes } from "react-router";
import { areas } from "./areas";
import { AreaTexts } from "./frame/i18n/AreaTexts";
import { NotFound } from "./frame/ui/page/NotFound";
import { Waiting } from "./frame/ui/page/Waiting";

const MessagesPage = lazy(() => import("./features/messages/list/MessagesPage"));
const MessagePage = lazy(() => import("./features/messages/one/MessagePage"));
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

/** The pages that nobody sees first. Their addresses are loaded with the first of them, and each page by itself. */
export default function OtherPages() {
  return (
    <Routes>
      <Route element={<Later area="messages" />}>
        <Route path="/messages" element={<MessagesPage />} />
        <Route path="/messages/:uuid" element={<MessagePage />} />
        <Route element={<Later area="projects" />}>
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
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** Accepting an invitation, without a login. */
export function Invitation() {
  return (
    <AreaTexts area={areas.operator} waiting={<Waiting />}>
      <InvitationPage />
    </AreaTexts>
  );
}

/** Pages whose texts are loaded with them. */
function Later({ area }: { area: keyof typeof areas }) {
  return (
    <AreaTexts area={areas[area]} waiting={<Waiting />}>
      <Suspense fallback={<Waiting />}>
        <Outlet />
      </Suspense>
    </AreaTexts>
  );
}
