import { Button, Group, Paper, Stack, Title } from "@mantine/core";
import type { Node } from "prosemirror-model";
import { AllSelection, NodeSelection, type EditorState } from "prosemirror-state";
import { useContext, type Ref } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../builder.module.css";
import { schema, type Alignment, type BlockName } from "../document/schema";
import type { House } from "../document/starters";
import { linkAt, setAttribute, setColumnCount, setLink, variableBefore } from "../editor/commands";
import type { Run } from "../editor/useLetter";
import { SettingsSlot } from "../settingsSlot";
import { ConditionFields, VariableFields } from "./ConditionFields";
import { AlignField, PixelField, UrlField, type Fields } from "./fields";
import { FooterFields } from "./FooterFields";
import { HtmlField } from "./HtmlField";
import { ImageFields } from "./ImageFields";
import { LetterFields } from "./LetterFields";
import { LinkList } from "./LinkList";

interface Target {
  node: Node;
  /** null: the letter */
  pos: number | null;
}

function targetOf({ doc, selection }: EditorState): Target {
  if (selection instanceof AllSelection) return { node: doc, pos: null };
  if (selection instanceof NodeSelection) return { node: selection.node, pos: selection.from };
  const { $from } = selection;
  return $from.depth === 0 ? { node: doc, pos: null } : { node: $from.parent, pos: $from.before() };
}

interface Props {
  state: EditorState;
  run: Run;
  house: House;
  variables: readonly string[];
  linkRef: Ref<HTMLInputElement>;
}

/** The settings of what is selected, or in which the cursor is. */
export function Panel({ state, run, house, variables, linkRef }: Props) {
  const { t } = useTranslation();
  const { node, pos } = targetOf(state);
  const link = linkAt(state);
  const variable = variableBefore(state);
  const name = node.type.name as BlockName;
  const set = (attribute: string, value: unknown) => run(setAttribute(pos, attribute, value), false);
  const block = t(`templates.builder.blocks.${name as "doc"}`);
  const slot = useContext(SettingsSlot);
  const panel = (
    <Paper p="xs" component="section" aria-label={t("templates.builder.settings", { block })}>
      <Stack gap="xs">
        <Title order={3} fz="sm">
          {block}
        </Title>
        <div className={classes.panel} key={`${name} ${pos ?? ""}`}>
          {link && (
            <div>
              <UrlField
                inputRef={linkRef}
                label={t("templates.builder.url")}
                value={link.href}
                onChange={(href) => run(setLink(link, href), false)}
              />
              <Button variant="subtle" size="compact-xs" mt={4} onClick={() => run(setLink(link, null))}>
                {t("templates.builder.removeLink")}
              </Button>
            </div>
          )}
          {variable && (
            <VariableFields
              key={variable.pos}
              node={variable.node}
              set={(attribute, value) => run(setAttribute(variable.pos, attribute, value), false)}
              variables={variables}
            />
          )}
          <FieldsOf
            name={name}
            node={node}
            set={set}
            house={house}
            variables={variables}
            pos={pos}
            run={run}
          />
        </div>
      </Stack>
    </Paper>
  );
  return slot ? createPortal(panel, slot) : panel;
}

interface OfProps extends Fields {
  name: BlockName;
  house: House;
  variables: readonly string[];
  pos: number | null;
  run: Run;
}

function FieldsOf({ name, node, set, house, variables, pos, run }: OfProps) {
  const { t } = useTranslation();
  const align = "align" in node.attrs && (
    <AlignField value={node.attrs.align as Alignment} onChange={(value) => set("align", value)} />
  );
  switch (name) {
    case "doc":
      return <LetterFields node={node} set={set} house={house} />;
    case "button":
      return (
        <>
          <UrlField
            label={t("templates.builder.url")}
            value={String(node.attrs.href)}
            onChange={(value) => set("href", value)}
          />
          {align}
        </>
      );
    case "image":
      return (
        <>
          <ImageFields node={node} set={set} />
          {align}
        </>
      );
    case "spacer":
      return (
        <PixelField
          label={t("templates.builder.height")}
          value={Number(node.attrs.height)}
          least={4}
          most={120}
          onChange={(value) => value !== null && set("height", value)}
        />
      );
    case "social":
      return (
        <>
          <LinkList links={node.attrs.links as never} onChange={(value) => set("links", value)} />
          {align}
        </>
      );
    case "html":
      return <HtmlField node={node} set={set} />;
    case "footer":
      return <FooterFields node={node} set={set} house={house} />;
    case "condition":
      return <ConditionFields node={node} set={set} variables={variables} pos={pos ?? 0} run={run} />;
    case "variable":
      return <VariableFields node={node} set={set} variables={variables} />;
    case "columns":
      return (
        <Group gap="xs">
          {([2, 3] as const).map((count) => (
            <Button
              key={count}
              size="xs"
              variant={node.childCount === count ? "filled" : "default"}
              aria-pressed={node.childCount === count}
              onClick={() => run(setColumnCount(pos ?? 0, count))}
            >
              {t("templates.builder.columnCount")}: {count}
            </Button>
          ))}
        </Group>
      );
    default:
      return node.type === schema.nodes.divider ? null : align;
  }
}
