import type { EventSinkPatch, NewEventSink, SinkFragment } from "../../gql/graphql";

/** What the form of a sink has. The address of a sink that exists is empty: the server does not return its password. */
export interface Draft extends Record<string, unknown> {
  name: string;
  url: string;
  credentials: string;
  stream: string;
  subject: string;
  types: string[];
  query: string;
  makeStream: boolean;
  replicas: string;
  duplicateWindowSeconds: string;
  wholeInstallation: boolean;
}

export const EMPTY: Draft = {
  name: "",
  url: "",
  credentials: "",
  stream: "POSTERN",
  subject: "postern.{owner}.{type}",
  types: [],
  query: "",
  makeStream: true,
  replicas: "3",
  duplicateWindowSeconds: "120",
  wholeInstallation: false,
};

export const MOST_REPLICAS = 5;
export const LONGEST_WINDOW = 86_400;

export function draftOf(sink: SinkFragment): Draft {
  return {
    name: sink.name,
    url: "",
    credentials: "",
    stream: sink.stream,
    subject: sink.subject,
    types: sink.types,
    query: sink.query ?? "",
    makeStream: sink.makeStream,
    replicas: String(sink.replicas),
    duplicateWindowSeconds: String(sink.duplicateWindowSeconds),
    wholeInstallation: sink.ownerId === null,
  };
}

/** Returns whether a text is a whole number from 1 to `most`. */
export function isWhole(text: string, most: number): boolean {
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most;
}

export function inputOf(draft: Draft): NewEventSink {
  return {
    ...settingsOf(draft),
    url: draft.url.trim(),
    credentials: draft.credentials.trim() ? draft.credentials : null,
    wholeInstallation: draft.wholeInstallation,
  };
}

/** Returns only what was changed. The address is changed if a new one was written, or new credentials. */
export function patchOf(before: Draft, after: Draft): EventSinkPatch {
  const old = settingsOf(before) as Record<string, unknown>;
  const changed = Object.entries(settingsOf(after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return {
    ...Object.fromEntries(changed),
    ...(after.url.trim() && { url: after.url.trim() }),
    ...(after.credentials.trim() && { credentials: after.credentials }),
  };
}

function settingsOf(draft: Draft) {
  return {
    name: draft.name.trim(),
    stream: draft.stream.trim(),
    subject: draft.subject.trim(),
    types: draft.types,
    query: draft.query.trim() || null,
    makeStream: draft.makeStream,
    replicas: Number(draft.replicas),
    duplicateWindowSeconds: Number(draft.duplicateWindowSeconds),
  };
}
