import { oggOf } from "./ogg";

/** What is recorded, in the order of preference: messengers play Opus in Ogg as a voice message. */
const CONTAINERS = [
  { mime: "audio/ogg;codecs=opus", type: "audio/ogg", ending: "ogg" }, // Firefox
  { mime: "audio/webm;codecs=opus", type: "audio/webm", ending: "webm" }, // Chromium, Safari since 18.4
  { mime: "audio/mp4", type: "audio/mp4", ending: "m4a" }, // older Safari
] as const;
export type Container = (typeof CONTAINERS)[number];

export interface Recorded {
  file: File;
  /** a voice message, or a file to download, because not every messenger would play it as a voice message */
  kind: "voice" | "file";
}

/** Returns what this browser can record, or null if nothing that another person could play. */
export function containerOf(isSupported: (mime: string) => boolean): Container | null {
  return CONTAINERS.find(({ mime }) => isSupported(mime)) ?? null;
}

/** Makes a file of what was recorded. What is not Opus in Ogg, and can't be made that, is sent as a file. */
export async function recordedOf(pieces: readonly Blob[], container: Container, at: Date): Promise<Recorded> {
  const name = `voice-${at.toISOString().slice(0, 16).replace(/[-:]/g, "").replace("T", "-")}`;
  const whole = new Blob([...pieces], { type: container.type });
  const asFile = (): Recorded => ({
    file: new File([whole], `${name}.${container.ending}`, { type: container.type }),
    kind: container.type === "audio/ogg" ? "voice" : "file",
  });
  if (container.type !== "audio/webm") return asFile();
  try {
    const ogg = oggOf(new Uint8Array(await whole.arrayBuffer()));
    return { file: new File([ogg], `${name}.ogg`, { type: "audio/ogg" }), kind: "voice" };
  } catch {
    return asFile();
  }
}
