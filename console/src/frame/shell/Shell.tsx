import { ActionIcon, Burger, Button, Group, Kbd } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Suspense, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { Link, Navigate, NavigationType, useLocation, useNavigationType } from "react-router";
import { lazyFile } from "../api/consoleFiles";
import { endedOwner } from "../api/owner";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { AccountMenu } from "./AccountMenu";
import { PageBoundary } from "../ui/page/PageBoundary";
import { TestMode } from "../sandbox/TestMode";
import { ConnectionBar } from "./ConnectionBar";
import { PageLinks } from "./PageLinks";
import { isOpenFor, moduleOffAt, navigationFor } from "./navigation";
import classes from "./Shell.module.css";
import { ThemeSwitch } from "./ThemeSwitch";

const Palette = lazyFile(() => import("./Palette"));
const ActingBand = lazyFile(() => import("./acting/ActingBand"));
const NotForRole = lazyFile(() => import("./acting/NotForRole"));
const NotInUse = lazyFile(() => import("./NotInUse"));
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure(false);
  const viewer = useViewer();
  const { pathname } = useLocation();
  const palette = usePalette();
  useFocusAfterNavigation(pathname);
  const bands = useHeight("--console-bands");
  useEffect(close, [pathname, close]);

  return (
    <div data-menu={opened || undefined}>
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        {t("shell.skip")}
      </a>
      <header className={`screen-only ${classes.header}`}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? t("shell.closeMenu") : t("shell.openMenu")}
              aria-expanded={opened}
            />
            <Link to="/" className={classes.logo}>
              <img src="/console/icon.svg" width={22} height={22} alt="" />
              Postern
            </Link>
          </Group>
          <Group gap={6} wrap="nowrap">
            <TestMode />
            <Button
              visibleFrom="sm"
              variant="default"
              classNames={{ root: classes.search, label: classes.searchLabel }}
              justify="space-between"
              leftSection={<IconSearch size={14} />}
              rightSection={
                <Kbd size="xs" aria-hidden>
                  {IS_MAC ? "⌘ K" : "Ctrl K"}
                </Kbd>
              }
              onClick={palette.open}
            >
              {t("palette.open")}
            </Button>
            <ActionIcon
              hiddenFrom="sm"
              variant="subtle"
              color="gray"
              aria-label={t("palette.open")}
              onClick={palette.open}
            >
              <IconSearch size={18} />
            </ActionIcon>
            <ThemeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </header>
      <nav aria-label={t("shell.navigation")} className={`screen-only ${classes.navigation}`}>
        <PageLinks pathname={pathname} onFollow={close} />
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
        {/* A chat needs the width of the window; every other page has one width. */}
        <div className={pathname.startsWith("/inbox") ? undefined : classes.content}>
          <div ref={bands} className={classes.bands}>
            <ConnectionBar />
            {(viewer.membership || endedOwner() !== null) && (
              <PageBoundary instead={null}>
                <Suspense>
                  <ActingBand />
                </Suspense>
              </PageBoundary>
            )}
          </div>
          <Allowed pathname={pathname}>{children}</Allowed>
        </div>
      </main>
      {palette.openCount > 0 && (
        <PageBoundary instead={null} key={palette.openCount}>
          <Suspense>
            <Palette />
          </Suspense>
        </PageBoundary>
      )}
    </div>
  );
}

/**
 * Shows a page if its module is on and the role opens it. A member who has no overview begins with the first page of
 * the role.
 */
function Allowed({ pathname, children }: { pathname: string; children: ReactNode }) {
  const viewer = useViewer();
  const moduleOff = moduleOffAt(pathname, viewer.installation);
  if (moduleOff)
    return (
      <Suspense>
        <NotInUse module={moduleOff} />
      </Suspense>
    );
  if (isOpenFor(viewer, pathname)) return children;
  const [first] = navigationFor(viewer).main;
  if (pathname === "/" && first) return <Navigate to={first.path} replace />;
  return (
    <Suspense>
      <NotForRole />
    </Suspense>
  );
}

/** Loads the command palette when it is first opened; from then on it handles its own shortcut. */
function usePalette() {
  const [openCount, setOpenCount] = useState(0);
  // A shortcut that is pressed as soon as the page is seen must not be lost, so nothing is painted before it is heard.
  useLayoutEffect(() => {
    if (openCount) return;
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpenCount(1);
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [openCount]);
  return { openCount, open: () => setOpenCount((count) => count + 1) };
}

/** Tells styles how high an element is: lists that fill the window leave room for it. */
function useHeight(name: string) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      document.documentElement.style.setProperty(name, `${entry?.contentRect.height ?? 0}px`);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [name]);
  return box;
}

/** A screen reader begins at the new page, not at the link that led there. */
function useFocusAfterNavigation(pathname: string) {
  const before = useRef(pathname);
  const type = useNavigationType();
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.getElementById("main")?.focus({ preventScroll: true });
    // Going back returns to where one was; every other page begins at its top.
    if (type !== NavigationType.Pop) window.scrollTo(0, 0);
  }, [pathname, type]);
}
