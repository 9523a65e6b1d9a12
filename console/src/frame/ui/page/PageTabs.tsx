import { useTranslation, type Key } from "../../i18n";
import { NavLink } from "react-router";
import { useViewer } from "../../session";
import { moduleOffAt } from "../../shell/navigation";
import classes from "./pageTabs.module.css";

interface Props {
  label: string;
  tabs: readonly { path: string; title: Key }[];
}

/** The parts of a page, each with an address of its own; nothing if it has one part, because a module is off. */
export function PageTabs({ label, tabs }: Props) {
  const { t } = useTranslation();
  const { installation } = useViewer();
  const shown = tabs.filter(({ path }) => moduleOffAt(path, installation) === null);
  if (shown.length < 2) return null;
  return (
    <nav aria-label={label} className={classes.tabs}>
      {shown.map(({ path, title }) => (
        <NavLink key={path} to={path} end className={classes.tab}>
          {t(title)}
        </NavLink>
      ))}
    </nav>
  );
}
