import { useTranslation } from "../i18n";

export interface Format {
  language: string;
  number: (value: number) => string;
  percent: (value: number) => string;
  money: (amount: number, currency: string) => string;
  /** with every digit that the amount has, for ledgers and prices */
  exactMoney: (amount: number, currency: string) => string;
  /** as short as its age allows: a time for today, a day and a time for older ones */
  time: (value: string | number | Date) => string;
  clock: (value: string | number | Date) => string;
  day: (value: string | number | Date) => string;
  /** with seconds and the name of the time zone */
  fullTime: (value: string | number | Date) => string;
  duration: (seconds: number) => string;
  /** "5 min. ago", given -5 and "minute" */
  ago: (value: number, unit: "minute" | "hour") => string;
}

export function makeFormat(language: string, timeZone?: string, now: () => number = Date.now): Format {
  const number = new Intl.NumberFormat(language);
  const rate = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const clock = new Intl.DateTimeFormat(language, { timeZone, hour: "numeric", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(language, { timeZone, day: "numeric", month: "short" });
  const short = new Intl.DateTimeFormat(language, {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  });
  const withYear = new Intl.DateTimeFormat(language, {
    timeZone,
    year: "numeric",
    month: "short",
    day: "numeric",
  });
  const full = new Intl.DateTimeFormat(language, {
    timeZone,
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
  const relative = new Intl.RelativeTimeFormat(language, { style: "short" });
  const dateKey = new Intl.DateTimeFormat("en-CA", { timeZone });
  const units = (value: number, unit: string) =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumFractionDigits: 0,
    }).format(value);

  const money = (amount: number, currency: string, digits: number) => {
    try {
      return new Intl.NumberFormat(language, {
        style: "currency",
        currency,
        minimumFractionDigits: 2,
        maximumFractionDigits: digits,
      }).format(amount);
    } catch {
      return `${number.format(amount)} ${currency}`; // a currency that the browser does not know
    }
  };

  return {
    language,
    number: (value) => (Number.isInteger(value) ? number : rate).format(value),
    percent: (value) => percent.format(value),
    // Prices of a message have up to six digits; a balance needs two.
    money: (amount, currency) => money(amount, currency, Math.abs(amount) < 1 && amount !== 0 ? 6 : 2),
    exactMoney: (amount, currency) => money(amount, currency, 6),
    time: (value) => {
      const date = new Date(value);
      if (dateKey.format(date) === dateKey.format(now())) return clock.format(date);
      return now() - date.getTime() < 180 * 86_400_000 ? short.format(date) : withYear.format(date);
    },
    clock: (value) => clock.format(new Date(value)),
    day: (value) => day.format(new Date(value)),
    fullTime: (value) => full.format(new Date(value)),
    ago: (value, unit) => relative.format(value, unit),
    duration: (seconds) => {
      const whole = Math.max(0, Math.round(seconds));
      if (whole < 60) return units(whole, "second");
      if (whole < 3600) return units(Math.floor(whole / 60), "minute");
      const hours = Math.floor(whole / 3600);
      if (hours < 48) {
        return `${units(hours, "hour")} ${units(Math.floor((whole % 3600) / 60), "minute")}`;
      }
      return units(Math.floor(hours / 24), "day");
    },
  };
}

/** Returns the browser's tag of this language: "en-GB" writes times as they are written there. */
function regionOf(language: string): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
}

// Each formatter of the browser is slow to make, and a list has hundreds of cells.
const formats = new Map<string, Format>();

export function useFormat(): Format {
  const region = regionOf(useTranslation().language);
  let format = formats.get(region);
  if (!format) {
    format = makeFormat(region);
    formats.set(region, format);
  }
  return format;
}
