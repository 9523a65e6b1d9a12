import { useEffect } from "react";

const ATTRIBUTE = "data-mantine-color-scheme";

/** Paper is white: while the page is printed, it has its light colors. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement;
    let before: string | null = null;
    const begin = () => {
      before = root.getAttribute(ATTRIBUTE);
      root.setAttribute(ATTRIBUTE, "light");
    };
    const end = () => {
      if (before !== null) root.setAttribute(ATTRIBUTE, before);
    };
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
}
