import { Store, useStore } from "../store";
import { answered } from "./connection";

/** A file of the console is gone, because a new version was installed after the page was opened. */
export class NewVersion extends Error {}

const installed = new Store(false);

/** Returns whether the server has another version of the console than the one that runs here. */
export function useNewVersion(): boolean {
  return useStore(installed);
}

/** Asks the server for its console. Returns null if it does not answer, else whether it is another version. */
export async function checkVersion(): Promise<boolean | null> {
  const page = await installedPage();
  if (page === null) return null;
  if (!hasScripts(page)) installed.set(true);
  return installed.get();
}

/** Returns the console's page as the server has it now, or null if the server does not answer. */
async function installedPage(): Promise<string | null> {
  try {
    const answer = await fetch("/console/", { cache: "no-store" });
    if (!answer.ok) return null;
    const text = await answer.text();
    answered();
    return text;
  } catch {
    return null;
  }
}

/** Returns whether a page begins with the scripts that run here. Their names have a hash of their content. */
function hasScripts(page: string): boolean {
  return [...document.querySelectorAll("script[type=module][src]")].every((script) =>
    page.includes(script.getAttribute("src") ?? ""),
  );
}

const RELOADED = "postern-reloaded-at";
const NOT_AGAIN_MS = 30_000;

/**
 * Loads the console again, in its new version. Returns false if that was done a moment ago: servers of two versions
 * may answer in turns while an update runs.
 */
export function reloadOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < NOT_AGAIN_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    return false; // without the storage nothing says when it was last done
  }
  window.location.reload();
  return true;
}
