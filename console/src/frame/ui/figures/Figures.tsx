import type { ReactNode } from "react";
import classes from "./figures.module.css";

/** A few values beside each other, each under its name. */
export function Figures({ large = false, children }: { large?: boolean; children: ReactNode }) {
  return (
    <dl className={classes.figures} data-large={large || undefined}>
      {children}
    </dl>
  );
}

export function Figure({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
