import { AllSelection, NodeSelection, type EditorState } from "prosemirror-state";
import { useTranslation } from "../../../frame/i18n";
import type { BlockName } from "./document/schema";
import type { Run } from "./editor/useLetter";
import classes from "./builder.module.css";

interface Step {
  name: BlockName;
  /** null: the letter */
  pos: number | null;
}

/** Returns the blocks around the cursor from the outside to the inside, and what is selected. */
function pathOf({ selection }: EditorState): Step[] {
  const steps: Step[] = [{ name: "doc", pos: null }];
  if (selection instanceof AllSelection) return steps;
  const { $from } = selection;
  for (let depth = 1; depth <= $from.depth; depth += 1) {
    const name = $from.node(depth).type.name as BlockName;
    if (name !== "list_item") steps.push({ name, pos: $from.before(depth) });
  }
  if (selection instanceof NodeSelection) {
    steps.push({ name: selection.node.type.name as BlockName, pos: selection.from });
  }
  return steps;
}

/** Selects what the cursor stands in, for its settings: the column, the condition, the letter. */
export function PathBar({ state, run }: { state: EditorState; run: Run }) {
  const { t } = useTranslation();
  const steps = pathOf(state);
  const { selection } = state;
  const selected = selection instanceof NodeSelection ? selection.node.type.name : null;
  const select = ({ pos }: Step) =>
    run((state, dispatch) => {
      dispatch?.(
        state.tr.setSelection(
          pos === null ? new AllSelection(state.doc) : NodeSelection.create(state.doc, pos),
        ),
      );
      return true;
    });
  return (
    <nav aria-label={t("templates.builder.path")} className={classes.path}>
      {steps.map((step, index) => (
        <button
          key={`${index} ${step.name}`}
          type="button"
          className={classes.step}
          {...(index === steps.length - 1 && { "aria-current": "true" as const })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => select(step)}
        >
          {t(`templates.builder.blocks.${step.name as "doc"}`)}
        </button>
      ))}
      <span role="status" className="visually-hidden">
        {selected &&
          t("templates.builder.selected", { block: t(`templates.builder.blocks.${selected as "doc"}`) })}
      </span>
    </nav>
  );
}
