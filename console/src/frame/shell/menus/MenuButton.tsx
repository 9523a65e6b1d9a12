import { cloneElement, Suspense, useState, type ComponentType, type ReactElement } from "react";
import { PageBoundary } from "../../ui/page/PageBoundary";
import type { MenuOfButton } from "./OpenedMenu";

interface ButtonProps {
  onClick?: () => void;
  "aria-haspopup"?: "menu" | "dialog";
  "aria-expanded"?: boolean;
}

interface Props {
  button: ReactElement<ButtonProps>;
  /** what is loaded when the button is pressed, or before, while the browser is idle */
  menu: ComponentType<MenuOfButton>;
  /** what it opens; default: a menu */
  opens?: "menu" | "dialog";
}

/** A button in the shell. What its menu needs is a sixth of the first page, and few visits open one. */
export function MenuButton({ button, menu: Opened, opens = "menu" }: Props) {
  const [pressed, setPressed] = useState(false);
  const waiting = cloneElement(button, {
    "aria-haspopup": opens,
    "aria-expanded": false,
    onClick: () => setPressed(true),
  });
  if (!pressed) return waiting;
  return (
    <PageBoundary instead={waiting}>
      <Suspense fallback={waiting}>
        <Opened button={button as MenuOfButton["button"]} />
      </Suspense>
    </PageBoundary>
  );
}
