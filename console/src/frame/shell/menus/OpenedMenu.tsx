import { Menu, type MenuProps } from "@mantine/core";
import {
  cloneElement,
  useEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type Ref,
} from "react";

/** What a menu of its own file gets: the button that stands where the pressed one stood. */
export interface MenuOfButton {
  button: ReactElement<{ ref?: Ref<HTMLButtonElement> }>;
}

interface Props extends MenuProps, MenuOfButton {
  children: ReactNode;
}

/** A menu that opens at once: its button was pressed before the menu's file was there. */
export function OpenedMenu({ button, children, ...props }: Props) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A menu that closes gives the focus back to what had it: the button, not the one that it has replaced.
    target.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu opened={opened} onChange={setOpened} {...props}>
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
