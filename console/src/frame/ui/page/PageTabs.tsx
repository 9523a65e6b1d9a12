import { useTranslation, type Key } from "../../i18n";
import { NavLink } from "react-router";
import classes from "./pageTabs.module.css";

interface Props {
  label: string;
  tabs: readonly { path: string; title: Key }[];
}

/** The parts of a page, each with an address of its own. */
export function PageTabs({ label, tabs }: Props) {
  const { t } = useTranslation();
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ path, title }) => (
        <NavLink key={path} to={path} end className={classes.tab}>
          {t(title)}
        </NavLink>
      ))}
    </nav>
  );
}
