import "./frame/mantine";
import "./frame/styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { removeFailedLinks } from "./frame/api/consoleFiles";
import { installNonce } from "./frame/nonce";
import { followOtherTabs } from "./frame/preferences";
import { installTrustedTypes } from "./frame/trustedTypes";

installTrustedTypes();
installNonce();
removeFailedLinks();
followOtherTabs();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element with the id root");
try {
  sessionStorage.removeItem("postern-starts"); // starting.js counts in it
} catch {
  // Storage is blocked: then nothing was counted.
}
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

// The page is drawn with the system's typeface first: letters must not keep numbers waiting.
requestAnimationFrame(() => setTimeout(() => void import("./frame/fonts.css").catch(() => undefined)));
