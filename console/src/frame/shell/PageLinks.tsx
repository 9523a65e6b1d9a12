import { Stack } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { Suspense, useId, useState } from "react";
import { Link } from "react-router";
import { lazyFile } from "../api/consoleFiles";
import { usePageNames } from "../billing";
import { useTranslation } from "../i18n";
import { useViewer } from "../session";
import { Store, useStore } from "../store";
import { isCurrent, navigationFor, type Page } from "./navigation";
import { PageBoundary } from "../ui/page/PageBoundary";
import classes from "./Shell.module.css";

const WaitingPlans = lazyFile(() => import("./menus/WaitingPlans"));
const MORE_KEY = "postern-console-more";

/** Whether all pages are shown, not the main ones alone: this browser remembers it. */
const shown = new Store(storedMore());

interface Props {
  pathname: string;
  /** called when a link is followed */
  onFollow: () => void;
}

/** The links to all pages: those that the installation is about, and below a button all others. */
export function PageLinks({ pathname, onFollow }: Props) {
  const { t } = useTranslation();
  const nameOf = usePageNames();
  const viewer = useViewer();
  const { main, more } = navigationFor(viewer);
  const list = useId();
  const others = more.flatMap(({ pages }) => pages);
  const current = others.find(({ path }) => isCurrent(path, pathname))?.path;
  // Somebody may close the list also while a page of it is shown.
  const [closedAt, setClosedAt] = useState<string>();
  const always = useStore(shown);
  const open = always || (current !== undefined && current !== closedAt);

  function toggle() {
    setClosedAt(open ? current : undefined);
    showMore(!open);
  }

  const links = (pages: readonly Page[]) =>
    pages.map(({ path, title, icon: Icon, waits }) => (
      <Link
        key={path}
        to={path}
        aria-current={isCurrent(path, pathname) ? "page" : undefined}
        className={classes.link}
        onClick={onFollow}
      >
        <Icon size={16} stroke={1.6} />
        {nameOf(title)}
        {waits && viewer.may("projects:approve") && (
          <PageBoundary instead={null}>
            <Suspense>
              <WaitingPlans />
            </Suspense>
          </PageBoundary>
        )}
      </Link>
    ));

  return (
    <Stack gap={2}>
      {links(main)}
      {others.length > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={open}
          aria-controls={open ? list : undefined}
          onClick={toggle}
        >
          <IconChevronRight size={16} stroke={1.6} />
          {t("shell.more")}
        </button>
      )}
      {open && (
        <Stack gap={2} id={list}>
          {more.map(({ title = "nav.overview", pages }) => (
            <Stack key={title} gap={2} role="group" aria-label={t(title)}>
              <div aria-hidden className={classes.section}>
                {nameOf(title)}
              </div>
              {links(pages)}
            </Stack>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function storedMore(): boolean {
  try {
    return localStorage.getItem(MORE_KEY) === "open";
  } catch {
    return false;
  }
}

function showMore(open: boolean): void {
  try {
    localStorage.setItem(MORE_KEY, open ? "open" : "closed");
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
  shown.set(open);
}
