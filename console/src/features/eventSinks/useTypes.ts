import { useLoaded } from "../../frame/api/useLoaded";
import { EventSinkTypes } from "./documents";

/** The names of all types of events. */
export function useTypes(): string[] {
  const { data } = useLoaded(EventSinkTypes, {});
  return (data?.eventTypes ?? []).map(({ type }) => type);
}
