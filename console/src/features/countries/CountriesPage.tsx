import { Anchor, Breadcrumbs, Loader, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { CheckNumber } from "./CheckNumber";
import classes from "./countries.module.css";
import { CountryRulesPage, CountryUser } from "./documents";
import { Effective } from "./Effective";
import { LimitedTable } from "./LimitedTable";
import { RuleForm } from "./RuleForm";

const POLL_MS = 30_000;

/** Where SMS may go, and how many to one country: one's own rule; for administrators the installation's and a user's. */
export default function CountriesPage() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const [params] = useSearchParams();
  const user = viewer.isAdmin ? params.get("user") : null;
  const { data, problem, loading, reload } = useLoaded(CountryRulesPage, { user });
  const email = useLoaded(CountryUser, { id: user ?? "" }, user === null).data?.user?.email;
  const notice = useNotice();
  usePageTitle(t("nav.countries"));
  useVisibleInterval(reload, POLL_MS);
  const rules = data?.countryRules;
  const writes = viewer.may("settings:write");
  const saved = () => {
    notice.show(t("countries.saved"));
    reload();
  };
  return (
    <Stack gap="sm">
      {user !== null && (
        <Breadcrumbs>
          <Anchor component={Link} to="/countries" size="sm">
            {t("nav.countries")}
          </Anchor>
          <Text size="sm" c="dimmed">
            {email ?? user}
          </Text>
        </Breadcrumbs>
      )}
      <PageHead title={user === null ? t("nav.countries") : t("countries.of", { name: email ?? user })} />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!rules && loading && <Loader size="sm" aria-label={t("common.loading")} />}
      {rules && (
        <div className={classes.columns}>
          <Stack gap="sm">
            {viewer.isAdmin && user === null && (
              <RuleForm
                title={t("countries.installation")}
                text={t("countries.installationText")}
                rule={rules.installation}
                scope="installation"
                user={null}
                onSaved={saved}
              />
            )}
            {writes && (
              <RuleForm
                key={user}
                title={t(user === null ? "countries.own" : "countries.userRule")}
                text={t(viewer.isAdmin ? "countries.userText" : "countries.ownText")}
                rule={rules.own}
                scope="user"
                user={user}
                onSaved={saved}
              />
            )}
          </Stack>
          <Stack gap="sm">
            <Effective rule={rules.effective} />
            <CheckNumber user={user} />
            <LimitedTable rows={rules.limited} owners={viewer.isAdmin && user === null} />
          </Stack>
        </div>
      )}
    </Stack>
  );
}
