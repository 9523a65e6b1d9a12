import { Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { lazyFile } from "./frame/api/consoleFiles";
import { areas } from "./areas";
import { AreaTexts } from "./frame/i18n/AreaTexts";
import { NotFound } from "./frame/ui/page/NotFound";
import { Waiting } from "./frame/ui/page/Waiting";

const MessagesPage = lazyFile(() => import("./features/messages/list/MessagesPage"));
const MessagePage = lazyFile(() => import("./features/messages/one/MessagePage"));
const InboxPage = lazyFile(() => import("./features/inbox/InboxPage"));
const ProjectsPage = lazyFile(() => import("./features/projects/list/ProjectsPage"));
const NewProjectPage = lazyFile(() => import("./features/projects/new/NewProjectPage"));
const ProjectPage = lazyFile(() => import("./features/projects/one/ProjectPage"));
const ApprovalsPage = lazyFile(() => import("./features/projects/approvals/ApprovalsPage"));
const ApprovalPage = lazyFile(() => import("./features/projects/approvals/ApprovalPage"));
const RepeatablePage = lazyFile(() => import("./features/projects/repeatable/RepeatablePage"));
const OneRepeatablePage = lazyFile(() => import("./features/projects/repeatable/OneRepeatablePage"));
const EditRepeatablePage = lazyFile(() => import("./features/projects/repeatable/EditRepeatablePage"));
const NewRepeatablePage = lazyFile(() => import("./features/projects/repeatable/NewRepeatablePage"));
const TemplatesPage = lazyFile(() => import("./features/templates/TemplatesPage"));
const TemplatePage = lazyFile(() => import("./features/templates/one/TemplatePage"));
const BrandPage = lazyFile(() => import("./features/brand/BrandPage"));
const SeriesListPage = lazyFile(() => import("./features/series/SeriesListPage"));
const SeriesPage = lazyFile(() => import("./features/series/SeriesPage"));
const MembersPage = lazyFile(() => import("./features/members/MembersPage"));
const JoinPage = lazyFile(() => import("./features/members/JoinPage"));
const AuditPage = lazyFile(() => import("./features/audit/AuditPage"));
const BlocksPage = lazyFile(() => import("./features/blocks/BlocksPage"));
const SendersPage = lazyFile(() => import("./features/senders/SendersPage"));
const ContactsPage = lazyFile(() => import("./features/contacts/ContactsPage"));
const ContactImportPage = lazyFile(() => import("./features/contacts/lists/ImportPage"));
const ContactPage = lazyFile(() => import("./features/contacts/ContactPage"));
const TopicsPage = lazyFile(() => import("./features/contacts/topics/TopicsPage"));
const TopicPage = lazyFile(() => import("./features/contacts/topics/TopicPage"));
const ErasuresPage = lazyFile(() => import("./features/contacts/erasures/ErasuresPage"));
const SegmentsPage = lazyFile(() => import("./features/contacts/segments/SegmentsPage"));
const SegmentPage = lazyFile(() => import("./features/contacts/segments/SegmentPage"));
const SignupFormsPage = lazyFile(() => import("./features/contacts/forms/FormsPage"));
const VerificationsPage = lazyFile(() => import("./features/verifications/VerificationsPage"));
const DomainsPage = lazyFile(() => import("./features/domains/DomainsPage"));
const SenderIdsPage = lazyFile(() => import("./features/senderIds/SenderIdsPage"));
const DomainPage = lazyFile(() => import("./features/domains/DomainPage"));
const DeliverabilityPage = lazyFile(() => import("./features/deliverability/DeliverabilityPage"));
const FilesPage = lazyFile(() => import("./features/files/FilesPage"));
const PicturesPage = lazyFile(() => import("./features/files/pictures/PicturesPage"));
const SystemHealthPage = lazyFile(() => import("./features/system/HealthPage"));
const SystemProvidersPage = lazyFile(() => import("./features/system/providers/ProvidersPage"));
const SystemPurposePage = lazyFile(() => import("./features/system/PurposePage"));
const SystemSendingPage = lazyFile(() => import("./features/system/SendingPage"));
const SystemAllowlistPage = lazyFile(() => import("./features/system/AllowlistPage"));
const SystemReturnedMailPage = lazyFile(() => import("./features/system/ReturnedMailPage"));
const SettingsPage = lazyFile(() => import("./features/settings/SettingsPage"));
const StoragePage = lazyFile(() => import("./features/settings/StoragePage"));
const AccountsPage = lazyFile(() => import("./features/accounts/AccountsPage"));
const AccountPage = lazyFile(() => import("./features/accounts/AccountPage"));
const StatementsPage = lazyFile(() => import("./features/statements/StatementsPage"));
const StatementPage = lazyFile(() => import("./features/statements/StatementPage"));
const UsersPage = lazyFile(() => import("./features/users/UsersPage"));
const UserPage = lazyFile(() => import("./features/users/UserPage"));
const InvitationPage = lazyFile(() => import("./features/users/InvitationPage"));
const FirstUserPage = lazyFile(() => import("./features/users/FirstUserPage"));
const PasswordPage = lazyFile(() => import("./features/users/PasswordPage"));
const LoggedIn = lazyFile(() =>
  import("./features/users/InvitationPage").then(({ LoggedIn }) => ({ default: LoggedIn })),
);
const TariffsPage = lazyFile(() => import("./features/tariffs/TariffsPage"));
const TariffPage = lazyFile(() => import("./features/tariffs/TariffPage"));
const NewTariffPage = lazyFile(() => import("./features/tariffs/NewTariffPage"));
const CountriesPage = lazyFile(() => import("./features/countries/CountriesPage"));
const CostsPage = lazyFile(() => import("./features/costs/CostsPage"));
const InvoicesPage = lazyFile(() => import("./features/costs/InvoicesPage"));
const RoutesPage = lazyFile(() => import("./features/routes/RoutesPage"));
const PriceListsPage = lazyFile(() => import("./features/tariffs/lists/PriceListsPage"));
const PriceListPage = lazyFile(() => import("./features/tariffs/lists/PriceListPage"));
const DeveloperPage = lazyFile(() => import("./features/developer/start/DeveloperPage"));
const EventsPage = lazyFile(() => import("./features/developer/events/EventsPage"));
const EventSinksPage = lazyFile(() => import("./features/eventSinks/EventSinksPage"));
const TokensPage = lazyFile(() => import("./features/developer/tokens/TokensPage"));
const ConnectPage = lazyFile(() => import("./features/developer/agents/ConnectPage"));
const WebhooksPage = lazyFile(() => import("./features/developer/webhooks/WebhooksPage"));
const NewWebhookPage = lazyFile(() => import("./features/developer/webhooks/NewWebhookPage"));
const WebhookPage = lazyFile(() => import("./features/developer/webhooks/WebhookPage"));
const CallbacksPage = lazyFile(() => import("./features/developer/callbacks/CallbacksPage"));
const HookSecretsPage = lazyFile(() => import("./features/developer/hooks/HookSecretsPage"));
const MessengersPage = lazyFile(() => import("./features/messengers/list/MessengersPage"));
const NewMessengerPage = lazyFile(() => import("./features/messengers/new/NewMessengerPage"));
const MessengerPage = lazyFile(() => import("./features/messengers/one/MessengerPage"));

/** The pages that nobody sees first. Their addresses are loaded with the first of them, and each page by itself. */
export default function OtherPages() {
  return (
    <Routes>
      <Route element={<Later area="messages" />}>
        <Route path="/messages" element={<MessagesPage />} />
        <Route path="/messages/:uuid" element={<MessagePage />} />
        <Route path="/audit" element={<AuditPage />} />
        <Route element={<Later area="projects" />}>
          <Route path="/projects" element={<ProjectsPage />} />
          <Route path="/projects/new" element={<NewProjectPage />} />
          <Route path="/projects/:uuid" element={<ProjectPage />} />
          <Route path="/approvals" element={<ApprovalsPage />} />
          <Route path="/approvals/:uuid" element={<ApprovalPage />} />
          <Route path="/repeatable" element={<RepeatablePage />} />
          <Route path="/repeatable/new" element={<NewRepeatablePage />} />
          <Route path="/repeatable/:uuid" element={<OneRepeatablePage />} />
          <Route path="/repeatable/:uuid/edit" element={<EditRepeatablePage />} />
          <Route path="/senders" element={<SendersPage />} />
          <Route path="/contacts" element={<ContactsPage />} />
          <Route path="/contacts/topics" element={<TopicsPage />} />
          <Route path="/contacts/topics/:uuid" element={<TopicPage />} />
          <Route path="/contacts/segments" element={<SegmentsPage />} />
          <Route path="/contacts/segments/:uuid" element={<SegmentPage />} />
          <Route path="/contacts/erasures" element={<ErasuresPage />} />
          <Route path="/contacts/forms" element={<SignupFormsPage />} />
          <Route path="/contacts/import" element={<ContactImportPage />} />
          <Route path="/contacts/:uuid" element={<ContactPage />} />
          <Route path="/domains" element={<DomainsPage />} />
          <Route path="/domains/:uuid" element={<DomainPage />} />
          <Route path="/senders/ids" element={<SenderIdsPage />} />
          <Route path="/sender-ids" element={<Moved to="/senders/ids" />} />
          <Route path="/deliverability" element={<DeliverabilityPage />} />
          <Route path="/files" element={<FilesPage />} />
          <Route path="/files/pictures" element={<PicturesPage />} />
          <Route path="/blocks" element={<BlocksPage />} />
        </Route>
        <Route element={<Later area="templates" />}>
          <Route path="/templates" element={<TemplatesPage />} />
          <Route path="/templates/:uuid" element={<TemplatePage />} />
        </Route>
        <Route element={<Later area="brand" />}>
          <Route path="/brand" element={<BrandPage />} />
        </Route>
        <Route element={<Later area="series" />}>
          <Route path="/series" element={<SeriesListPage />} />
          <Route path="/series/:uuid" element={<SeriesPage />} />
        </Route>
        <Route element={<Later area="operator" />}>
          <Route path="/accounts" element={<AccountsPage />} />
          <Route path="/accounts/:uuid" element={<AccountPage />} />
          <Route path="/accounts/:uuid/statements" element={<StatementsPage />} />
          <Route path="/accounts/:uuid/statements/:month" element={<StatementPage />} />
          <Route path="/users" element={<UsersPage />} />
          <Route path="/users/:uuid" element={<UserPage />} />
          <Route path="/invitation" element={<LoggedIn />} />
          <Route path="/tariffs" element={<TariffsPage />} />
          <Route path="/tariffs/new" element={<NewTariffPage />} />
          <Route path="/tariffs/lists" element={<PriceListsPage />} />
          <Route path="/tariffs/lists/:uuid" element={<PriceListPage />} />
          <Route path="/tariffs/:code" element={<TariffPage />} />
          <Route path="/countries" element={<CountriesPage />} />
          <Route path="/routes" element={<RoutesPage />} />
          <Route path="/costs" element={<CostsPage />} />
          <Route path="/costs/invoices" element={<InvoicesPage />} />
          <Route path="/settings" element={<SettingsPage />} />
          <Route path="/settings/storage" element={<StoragePage />} />
          <Route path="/system" element={<SystemHealthPage />} />
          <Route path="/system/providers" element={<SystemProvidersPage />} />
          <Route path="/system/purpose" element={<SystemPurposePage />} />
          <Route path="/system/sending" element={<SystemSendingPage />} />
          <Route path="/system/allowlist" element={<SystemAllowlistPage />} />
          <Route path="/system/returned-mail" element={<SystemReturnedMailPage />} />
        </Route>
        <Route element={<Later area="members" />}>
          <Route path="/members" element={<MembersPage />} />
        </Route>
        <Route element={<Later area="verifications" />}>
          <Route path="/verifications" element={<VerificationsPage />} />
        </Route>
        <Route element={<Later area="developer" />}>
          <Route path="/developer" element={<DeveloperPage />} />
          <Route path="/events" element={<EventsPage />} />
          <Route path="/event-sinks" element={<EventSinksPage />} />
          <Route path="/tokens" element={<TokensPage />} />
          <Route path="/agents/connect" element={<ConnectPage />} />
          <Route path="/webhooks" element={<WebhooksPage />} />
          <Route path="/webhooks/new" element={<NewWebhookPage />} />
          <Route path="/webhooks/:uuid" element={<WebhookPage />} />
          <Route path="/callbacks" element={<CallbacksPage />} />
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

/** Setting a new password in place of a forgotten one, with or without a login. */
export function Password() {
  return (
    <AreaTexts area={areas.operator} waiting={<Waiting />}>
      <PasswordPage />
    </AreaTexts>
  );
}

/** Making the first administrator, by the link that the start has printed. */
export function FirstUser() {
  return (
    <AreaTexts area={areas.operator} waiting={<Waiting />}>
      <FirstUserPage />
    </AreaTexts>
  );
}

/** Accepting an invitation to act for an owner, with or without a login. */
export function Join() {
  return (
    <AreaTexts area={areas.members} waiting={<Waiting />}>
      <JoinPage />
    </AreaTexts>
  );
}

/** Leads from an address that a page had before, with all that follows it. */
function Moved({ to }: { to: string }) {
  const { search } = useLocation();
  return <Navigate to={{ pathname: to, search }} replace />;
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
