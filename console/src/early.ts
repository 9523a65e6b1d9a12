// The page's first script, a file of its own. While the rest is loaded it asks for what the first page will show, so
// that a slow network is waited for once and not once for each question.
import { askEarly } from "./frame/api/early";
import { acting } from "./frame/api/owner";
import { catalogues, languageOf, storedLanguage } from "./frame/i18n/languages";
import { lastLogin } from "./frame/lastLogin";
import { rightsOf } from "./frame/rights";
import { Viewer } from "./frame/viewer";
import { askOverview } from "./features/overview/early";

const login = lastLogin();
const language = storedLanguage() ?? languageOf([login?.locale, ...navigator.languages]);
catalogues[language]().catch(() => undefined); // who needs it tries again
const viewer = askEarly(Viewer, {});
if (/^\/console\/?$/.test(location.pathname)) {
  // What a member may is not known before the answer.
  if (login && !acting()) askOverview(rightsOf(login.isAdmin ? ["admin"] : [], []), login.hasFeed);
  else
    void viewer.then((data) => {
      if (!data?.me) return;
      const modules = data.installation?.modules;
      askOverview(rightsOf(data.me.roles, data.memberships ?? []), modules?.includes("events") ?? true);
    });
}
