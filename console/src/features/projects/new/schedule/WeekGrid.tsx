import { UnstyledButton } from "@mantine/core";
import { Fragment, useState, type PointerEvent } from "react";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../new.module.css";
import { clockOf, DAYS, HOURS, insideOf, toggled, weekBetween, type Cell, type Week } from "./window";

interface Props {
  week: Week;
  onChange: (week: Week) => void;
}

/**
 * A week of hours to draw on with a mouse or a pen. With a keyboard, the names of the days switch them, and the
 * fields below set the hours.
 */
export function WeekGrid({ week, onChange }: Props) {
  const { t, language } = useTranslation();
  const [stroke, setStroke] = useState<{ from: Cell; to: Cell } | null>(null);
  const shown = stroke ? weekBetween(stroke.from, stroke.to) : week;
  const names = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  const nameOf = (day: number) => names.format(Date.UTC(2024, 0, day));

  function cellOf(event: PointerEvent): Cell | null {
    const element = document.elementFromPoint(event.clientX, event.clientY) as HTMLElement | null;
    const { day, hour } = element?.dataset ?? {};
    return day && hour ? { day: Number(day), hour: Number(hour) } : null;
  }
  function end() {
    if (stroke) onChange(weekBetween(stroke.from, stroke.to));
    setStroke(null);
  }

  return (
    <div className={classes.scroll}>
      <div
        className={classes.week}
        role="group"
        aria-label={t("making.weekLabel", { from: clockOf(shown.from), to: clockOf(shown.to) })}
        onPointerDown={(event) => {
          const cell = cellOf(event);
          if (!cell) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setStroke({ from: cell, to: cell });
        }}
        onPointerMove={(event) => {
          const cell = stroke && cellOf(event);
          if (cell && (cell.day !== stroke.to.day || cell.hour !== stroke.to.hour)) {
            setStroke({ from: stroke.from, to: cell });
          }
        }}
        onPointerUp={end}
        onPointerCancel={() => setStroke(null)}
      >
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className={classes.hour} aria-hidden>
            {hour % 3 === 0 ? hour : ""}
          </span>
        ))}
        {DAYS.map((day) => (
          <Fragment key={day}>
            <UnstyledButton
              className={classes.day}
              aria-pressed={week.days.includes(day)}
              onClick={() => onChange(toggled(week, day))}
            >
              {nameOf(day)}
            </UnstyledButton>
            {HOURS.map((hour) => {
              const inside = insideOf(shown, { day, hour });
              return (
                <span
                  key={hour}
                  aria-hidden
                  className={classes.cell}
                  data-day={day}
                  data-hour={hour}
                  data-inside={inside >= 1 ? "all" : inside > 0 ? "part" : undefined}
                />
              );
            })}
          </Fragment>
        ))}
      </div>
    </div>
  );
}
