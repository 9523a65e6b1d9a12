import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "../../frame/i18n";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Series {
  label: string;
  color: { light: string; dark: string };
  values: number[];
}

interface Props {
  /** starts of the intervals, in seconds */
  times: number[];
  series: Series[];
  label: string;
  onHover: (index: number | null) => void;
}

const HEIGHT = 220;

/** A line for each series over time. It is a picture: the page has a table with the same numbers. */
export function Chart({ times, series, label, onHover }: Props) {
  const { language } = useTranslation();
  const scheme = useComputedColorScheme("light");
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const hover = useRef(onHover);
  useEffect(() => {
    hover.current = onHover;
  }, [onHover]);
  const data = useRef<UPlot.AlignedData>([times, ...series.map((item) => item.values)]);
  data.current = [times, ...series.map((item) => item.values)];
  const appearance = JSON.stringify([scheme, language, series.map((item) => [item.label, item.color])]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const [, , shown] = JSON.parse(appearance) as [
      string,
      string,
      [string, { light: string; dark: string }][],
    ];
    const made = new UPlot(
      options(scheme, language, shown, element.clientWidth, hover),
      data.current,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [appearance, scheme, language]);

  // New numbers are drawn into the chart that is there.
  useEffect(() => {
    plot.current?.setData([times, ...series.map((item) => item.values)]);
  }, [times, series]);

  return (
    <div
      ref={box}
      role="img"
      aria-label={label}
      style={{ height: HEIGHT, minWidth: 0, overflow: "hidden" }}
    />
  );
}

function options(
  scheme: "light" | "dark",
  language: string,
  shown: [string, { light: string; dark: string }][],
  width: number,
  hover: { current: (index: number | null) => void },
): UPlot.Options {
  const grid = scheme === "dark" ? "rgba(255,255,255,0.08)" : "rgba(0,0,0,0.07)";
  const text = scheme === "dark" ? "#a3a9b0" : "#5c636b";
  const axis: UPlot.Axis = {
    stroke: text,
    font: "11px system-ui, sans-serif",
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
  };
  const compact = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const hour = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 64,
        values: (_plot, splits) =>
          splits.map((second) => {
            const date = new Date(second * 1000);
            return date.getHours() === 0 && date.getMinutes() === 0 ? day.format(date) : hour.format(date);
          }),
      },
      {
        ...axis,
        // Room for the longest label; "100 тыс." is longer than "100K".
        size: (_plot, labels) =>
          16 + 6.5 * Math.max(3, ...((labels as string[] | null) ?? []).map((item) => item.length)),
        values: (_plot, splits) =>
          splits.map((value) => (Number.isInteger(value) ? compact.format(value) : "")),
      },
    ],
    series: [
      {},
      ...shown.map(([label, color], index) => ({
        label,
        stroke: color[scheme],
        // The first line has an area; later ones are thinner, so that equal lines are both seen.
        fill: index === 0 ? `${color[scheme]}1a` : undefined,
        width: 3 - index * 0.75,
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [(made) => hover.current(made.cursor.idx ?? null)] },
  };
}
