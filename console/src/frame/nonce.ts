import { setNonce } from "get-nonce";

const PLACEHOLDER = "__NONCE__"; // stays in the page of the development server

/** The nonce that the server has put into the page; empty if there is none. */
export const styleNonce: string = readNonce();

function readNonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
  return content === PLACEHOLDER ? "" : content;
}

/** Gives the nonce to react-remove-scroll, which adds a style element when a dialog opens. */
export function installNonce(): void {
  if (styleNonce) setNonce(styleNonce);
}
