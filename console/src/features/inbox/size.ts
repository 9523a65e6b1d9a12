import { useFormat } from "../../frame/format";

const UNITS = ["byte", "kilobyte", "megabyte"] as const;

/** Returns what writes a number of bytes. */
export function useSize(): (bytes: number) => string {
  const { language } = useFormat();
  return (bytes) => {
    const step = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2;
    return new Intl.NumberFormat(language, {
      style: "unit",
      unit: UNITS[step],
      unitDisplay: step === 0 ? "long" : "short",
      maximumFractionDigits: step === 2 ? 1 : 0,
    }).format(bytes / 1000 ** step);
  };
}
