import { useCallback, useEffect, useRef, useState } from "react";
import { containerOf, recordedOf, type Recorded } from "./containers";

export const MOST_SECONDS = 600;
const BITS_A_SECOND = 32_000; // speech; ten minutes have 2.4 MB

/** Why nothing is recorded. Without TLS browsers have no microphone for a page, but for localhost. */
export type Refusal = "insecure" | "unable" | "denied" | "missing" | "failed";

export type Recording =
  | { at: "asking" }
  | { at: "recording"; since: number }
  | { at: "recorded"; recorded: Recorded; url: string; seconds: number }
  | { at: "refused"; why: Refusal };

interface Recorder {
  state: Recording;
  stop: () => void;
}

/** Records from the microphone, which the browser asks the user for, from the first render until `stop`. */
export function useRecording(): Recorder {
  const [state, setState] = useState<Recording>({ at: "asking" });
  const recorder = useRef<MediaRecorder | null>(null);
  const stop = useCallback(() => {
    if (recorder.current?.state === "recording") recorder.current.stop();
  }, []);

  useEffect(() => {
    let left = false;
    let stream: MediaStream | null = null;
    let url: string | null = null;
    const silence = () => stream?.getTracks().forEach((track) => track.stop());
    const show = (next: Recording) => {
      if (!left) setState(next);
    };

    async function begin() {
      const container = impossible() ? null : containerOf((mime) => MediaRecorder.isTypeSupported(mime));
      if (!container) {
        show({ at: "refused", why: window.isSecureContext ? "unable" : "insecure" });
        return;
      }
      try {
        stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
      } catch (error) {
        show({ at: "refused", why: refusalOf(error) });
        return;
      }
      if (left) {
        silence();
        return;
      }
      const pieces: Blob[] = [];
      const made = new MediaRecorder(stream, { mimeType: container.mime, audioBitsPerSecond: BITS_A_SECOND });
      const since = performance.now();
      made.ondataavailable = ({ data }) => {
        if (data.size > 0) pieces.push(data);
      };
      // Also when the microphone is unplugged.
      made.onstop = () => {
        silence();
        const seconds = (performance.now() - since) / 1000;
        if (!left) void finish(pieces, container, seconds);
      };
      recorder.current = made;
      made.start();
      show({ at: "recording", since });
    }

    async function finish(
      pieces: readonly Blob[],
      container: Parameters<typeof recordedOf>[1],
      seconds: number,
    ) {
      if (pieces.length === 0) {
        show({ at: "refused", why: "failed" });
        return;
      }
      const recorded = await recordedOf(pieces, container, new Date());
      if (left) return;
      url = URL.createObjectURL(recorded.file);
      show({ at: "recorded", recorded, url, seconds });
    }

    begin().catch(() => {
      silence();
      show({ at: "refused", why: "failed" });
    });
    return () => {
      left = true;
      silence();
      if (url) URL.revokeObjectURL(url);
    };
  }, []);
  return { state, stop };
}

/** Whether this browser, or a page without TLS, can't record at all. */
function impossible(): boolean {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  return !mediaDevices || typeof MediaRecorder === "undefined";
}

function refusalOf(error: unknown): Refusal {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "failed";
}
