import accounts from "./features/accounts/texts";
import blocks from "./features/blocks/texts";
import brand from "./features/brand/texts";
import contacts from "./features/contacts/texts";
import costs from "./features/costs/texts";
import countries from "./features/countries/texts";
import deliverability from "./features/deliverability/texts";
import developer from "./features/developer/texts";
import domains from "./features/domains/texts";
import eventSinks from "./features/eventSinks/texts";
import files from "./features/files/texts";
import inbox from "./features/inbox/texts";
import members from "./features/members/texts";
import messages from "./features/messages/texts";
import messengers from "./features/messengers/texts";
import projects from "./features/projects/texts";
import routes from "./features/routes/texts";
import senderIds from "./features/senderIds/texts";
import senders from "./features/senders/texts";
import series from "./features/series/texts";
import settings from "./features/settings/texts";
import statements from "./features/statements/texts";
import system from "./features/system/texts";
import tariffs from "./features/tariffs/texts";
import templates from "./features/templates/texts";
import users from "./features/users/texts";
import verifications from "./features/verifications/texts";
import type { Loaders } from "./frame/i18n/AreaTexts";
import purpose from "./frame/i18n/purpose";
import scopes from "./frame/i18n/scopes";
import shared from "./frame/i18n/shared";

/** Texts of pages that nobody sees first. Those of an area are loaded together, when the first page of it is shown. */
export const areas = {
  messages: [shared, messages],
  projects: [projects, blocks, senders, senderIds, domains, contacts, deliverability, files],
  templates: [templates],
  brand: [brand],
  series: [series],
  messengers: [inbox, messengers],
  verifications: [verifications],
  developer: [scopes, developer, eventSinks],
  members: [scopes, members],
  operator: [purpose, users, accounts, statements, tariffs, costs, countries, routes, settings, system],
} satisfies Record<string, Loaders[]>;
