import { useFormat } from "../values/format";

/** A time in the viewer's zone; the full time is in its tooltip. */
export function Time({ value, full = false }: { value: string; full?: boolean }) {
  const format = useFormat();
  const exact = format.fullTime(value);
  return (
    <time dateTime={value} title={exact}>
      {full ? exact : format.time(value)}
    </time>
  );
}
