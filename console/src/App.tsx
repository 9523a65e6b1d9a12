import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Suspense, useEffect } from "react";
import { BrowserRouter, Navigate, Route, Routes, useLocation } from "react-router";
import LoginPage from "./features/login/LoginPage";
import OverviewPage from "./features/overview/OverviewPage";
import { lazyFile, loadAhead } from "./frame/api/consoleFiles";
import { Translations } from "./frame/i18n";
import { internalPath } from "./frame/internalPath";
import { styleNonce } from "./frame/nonce";
import { SessionProvider, useSession } from "./frame/session";
import { Shell } from "./frame/shell/Shell";
import { Unreachable } from "./frame/shell/Unreachable";
import { theme } from "./frame/theme";
import { PageBoundary } from "./frame/ui/page/PageBoundary";
import { Waiting } from "./frame/ui/page/Waiting";

const ProfilePage = lazyFile(() => import("./features/profile/ProfilePage"));
const OtherPages = lazyFile(() => import("./OtherPages"));
const Invitation = lazyFile(() => import("./OtherPages").then(({ Invitation }) => ({ default: Invitation })));
const Join = lazyFile(() => import("./OtherPages").then(({ Join }) => ({ default: Join })));
const FirstUser = lazyFile(() => import("./OtherPages").then(({ FirstUser }) => ({ default: FirstUser })));
const Password = lazyFile(() => import("./OtherPages").then(({ Password }) => ({ default: Password })));

const colorSchemes = localStorageColorSchemeManager({ key: "postern-console-theme" });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => styleNonce}
      deduplicateCssVariables={false}
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
  const isIn = state.phase === "in";
  useEffect(() => (isIn ? loadAhead() : undefined), [isIn]);
  if (state.phase === "unreachable") return <Unreachable problem={state.problem} />;
  if (location.pathname === "/password")
    return (
      <Suspense fallback={<Waiting />}>
        <Password />
      </Suspense>
    );
  if (location.pathname === "/first-user")
    return (
      <Suspense fallback={<Waiting />}>
        <FirstUser />
      </Suspense>
    );
  if (location.pathname === "/join")
    return (
      <Suspense fallback={<Waiting />}>
        <Join />
      </Suspense>
    );
  if (state.phase !== "in") {
    const here = location.pathname + location.search + location.hash;
    const next = here === "/" ? "" : `?next=${encodeURIComponent(here)}`;
    return (
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/login" element={<LoginPage />} />
          <Route path="/invitation" element={<Invitation />} />
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
            <Route path="/profile" element={<ProfilePage />} />
            <Route path="/login" element={<AfterLogin />} />
            <Route path="*" element={<OtherPages />} />
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

/** Leads from the login back to where the user was. */
function AfterLogin() {
  const { search } = useLocation();
  return <Navigate to={internalPath(new URLSearchParams(search).get("next"))} replace />;
}
