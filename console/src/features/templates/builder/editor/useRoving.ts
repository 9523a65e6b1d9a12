import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from "react";

const TOOLS = "button:not([disabled])";
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

const toolsOf = (bar: HTMLElement) => [...bar.querySelectorAll<HTMLElement>(TOOLS)];

/** Makes the buttons of a toolbar one stop for Tab: the arrow keys, Home and End lead from one to the others. */
export function useRoving(bar: RefObject<HTMLElement | null>) {
  const current = useRef<HTMLElement | null>(null);
  const settle = () => {
    if (!bar.current) return;
    const tools = toolsOf(bar.current);
    const stop = tools.find((tool) => tool === current.current) ?? tools[0];
    for (const tool of tools) tool.tabIndex = tool === stop ? 0 : -1;
  };
  // Buttons come and go with what is selected.
  useEffect(settle);
  return {
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      // Menus open in a portal, whose events come here, too.
      if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
      current.current = target;
      settle();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const { key, currentTarget, target } = event;
      if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
      const tools = toolsOf(currentTarget);
      const step = (STEPS[key] ?? 0) * (getComputedStyle(currentTarget).direction === "rtl" ? -1 : 1);
      const edge = key === "Home" ? tools[0] : key === "End" ? tools.at(-1) : undefined;
      const next =
        edge ?? (step ? tools[(tools.indexOf(target) + step + tools.length) % tools.length] : null);
      if (!next) return;
      event.preventDefault();
      next.focus();
    },
  };
}
