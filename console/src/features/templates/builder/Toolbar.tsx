import { ActionIcon, Button, Divider, Menu, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowUp,
  IconBold,
  IconChevronDown,
  IconFilter,
  IconItalic,
  IconLink,
  IconPlus,
  IconTrash,
  IconUnderline,
  IconVariable,
  type Icon,
} from "@tabler/icons-react";
import { lift, setBlockType, toggleMark } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";
import { useRef, type ReactNode, type RefObject } from "react";
import { useTranslation } from "../../../frame/i18n";
import { schema } from "./document/schema";
import {
  deleteBlock,
  insertBlock,
  insertVariable,
  linkAt,
  moveBlock,
  newBlock,
  setLink,
  wrapInCondition,
} from "./editor/commands";
import type { Run } from "./editor/useLetter";
import { useRoving } from "./editor/useRoving";
import classes from "./builder.module.css";

const { nodes, marks } = schema;

/** The blocks that can be added, in the order of the menu. */
const ADDED = [
  "paragraph",
  "heading",
  "button",
  "image",
  "bullet_list",
  "columns",
  "divider",
  "spacer",
  "social",
  "html",
  "footer",
] as const;

const KINDS: Record<string, Command> = {
  paragraph: (state, dispatch) => setBlockType(nodes.paragraph)(state, dispatch) || lift(state, dispatch),
  heading1: setBlockType(nodes.heading, { level: 1 }),
  heading2: setBlockType(nodes.heading, { level: 2 }),
  heading3: setBlockType(nodes.heading, { level: 3 }),
  bullet_list: wrapInList(nodes.bullet_list),
  ordered_list: wrapInList(nodes.ordered_list),
};

interface Props {
  state: EditorState;
  run: Run;
  variables: readonly { name: string; label: string | null }[];
  bar: RefObject<HTMLDivElement | null>;
  /** leads to the field of the link that was made */
  onLink: () => void;
}

/** The tools of a letter: one stop for Tab, and the arrow keys lead from one to the next. */
export function Toolbar({ state, run, variables, bar, onLink }: Props) {
  const { t } = useTranslation();
  const roving = useRoving(bar);
  const tool = (name: string, Icon: Icon, command: Command, pressed?: boolean) => (
    <Tool
      key={name}
      label={t(`templates.builder.${name}` as "templates.builder.bold")}
      Icon={Icon}
      disabled={!command(state)}
      {...(pressed !== undefined && { pressed })}
      onClick={() => run(command)}
    />
  );
  const hasMark = (name: "strong" | "em" | "underline") => {
    const { from, to, empty, $from } = state.selection;
    return empty
      ? marks[name].isInSet(state.storedMarks ?? $from.marks()) !== undefined
      : state.doc.rangeHasMark(from, to, marks[name]);
  };

  /** Makes a link of what is selected, or leads to the one at the cursor. */
  function link() {
    const { from, to, empty } = state.selection;
    if (!linkAt(state) && !empty) run(setLink({ from, to }, "https://"), false);
    onLink();
  }

  return (
    <div
      {...roving}
      ref={bar}
      role="toolbar"
      aria-label={t("templates.builder.toolbar")}
      className={classes.toolbar}
    >
      <ToolMenu>
        <Menu.Target>
          <Button size="xs" leftSection={<IconPlus size={14} />}>
            {t("templates.builder.add")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ADDED.map((name) => (
            <Menu.Item
              key={name}
              onClick={() => run(insertBlock(made(name, t("templates.builder.newButton"))))}
            >
              {t(`templates.builder.blocks.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </ToolMenu>
      <ToolMenu>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={12} />}>
            {t("templates.builder.kind")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(KINDS).map(([name, command]) => (
            <Menu.Item key={name} disabled={!command(state)} onClick={() => run(command)}>
              {t(`templates.builder.kinds.${name}` as "templates.builder.kinds.paragraph")}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </ToolMenu>
      <ToolMenu>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconVariable size={14} />}
            disabled={!insertVariable("name")(state)}
          >
            {t("templates.builder.variable")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="18rem" className={classes.scrolled}>
          {variables.map(({ name, label }) => (
            <Menu.Item key={name} onClick={() => run(insertVariable(name))}>
              {label ? `${label} (${name})` : name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </ToolMenu>
      <Divider orientation="vertical" />
      {tool("bold", IconBold, toggleMark(marks.strong), hasMark("strong"))}
      {tool("italic", IconItalic, toggleMark(marks.em), hasMark("em"))}
      {tool("underline", IconUnderline, toggleMark(marks.underline), hasMark("underline"))}
      <Tool
        label={t("templates.builder.link")}
        Icon={IconLink}
        disabled={!linkAt(state) && !toggleMark(marks.link, { href: "" })(state)}
        onClick={link}
      />
      <Divider orientation="vertical" />
      {tool("up", IconArrowUp, moveBlock(-1))}
      {tool("down", IconArrowDown, moveBlock(1))}
      {tool("wrap", IconFilter, wrapInCondition)}
      {tool("delete", IconTrash, deleteBlock)}
      <Divider orientation="vertical" />
      {tool("undo", IconArrowBackUp, undo)}
      {tool("redo", IconArrowForwardUp, redo)}
    </div>
  );
}

function made(name: (typeof ADDED)[number], label: string) {
  if (name === "button") return nodes.button.create(null, schema.text(label));
  return newBlock(name, name === "heading" ? { level: 2 } : null);
}

/**
 * A menu of the toolbar. What is chosen leads back into the letter, so its button gets the focus only if nothing was
 * chosen.
 */
function ToolMenu({ children }: { children: ReactNode }) {
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Menu
      position="bottom-start"
      withinPortal
      returnFocus={false}
      onOpen={() => {
        opener.current = document.activeElement as HTMLElement | null;
      }}
      onClose={() => {
        if (document.activeElement?.closest("[role=menu]")) opener.current?.focus();
      }}
    >
      {children}
    </Menu>
  );
}

interface ToolProps {
  label: string;
  Icon: Icon;
  disabled: boolean;
  pressed?: boolean;
  onClick: () => void;
}

function Tool({ label, Icon, disabled, pressed, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? "filled" : "default"}
        size="md"
        aria-label={label}
        {...(pressed !== undefined && { "aria-pressed": pressed })}
        // A tool that can't be used now stays in the row of the arrow keys.
        aria-disabled={disabled}
        data-disabled={disabled || undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => !disabled && onClick()}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
