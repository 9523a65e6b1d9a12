import { useEffect } from "react";

/**
 * Gives the focus back to where it was when a dialog appeared, once the dialog is gone. Mantine does so only for dialogs
 * that stay in the page when they are closed.
 */
export function useFocusBack(opened = true): void {
  useEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}
