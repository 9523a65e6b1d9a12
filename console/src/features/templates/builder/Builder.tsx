import { Group, Stack, Text } from "@mantine/core";
import type { Node } from "prosemirror-model";
import { useId, useMemo, useRef, useState, type CSSProperties } from "react";
import { useTranslation } from "../../../frame/i18n";
import { letterOf, sourceOf } from "./document/source";
import type { House } from "./document/starters";
import type { BlockWords } from "./editor/views";
import classes from "./editor/letter.module.css";
import { useLetter } from "./editor/useLetter";
import { Panel } from "./panels/Panel";
import { PathBar } from "./PathBar";
import { Toolbar } from "./Toolbar";

interface Props {
  /** what is stored of the letter; another one needs another key of the component */
  source: string;
  locale: string;
  house: House;
  variables: readonly { name: string; label: string | null }[];
  onChange: (source: string) => void;
}

/** Writes a letter by blocks. */
export function Builder(props: Props) {
  const { t } = useTranslation();
  const [letter] = useState(() => letterOf(props.source));
  if (!letter) return <Text size="sm">{t("templates.builder.broken")}</Text>;
  return <Opened {...props} letter={letter} />;
}

function Opened({ letter, locale, house, variables, onChange }: Props & { letter: Node }) {
  const { t } = useTranslation();
  const hint = useId();
  const bar = useRef<HTMLDivElement>(null);
  const link = useRef<HTMLInputElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const words = useWords();
  const { state, place, run } = useLetter({
    letter,
    label: t("templates.builder.label"),
    describedBy: hint,
    words,
    onChange: (next) => onChange(sourceOf(next)),
    toToolbar: () => bar.current?.querySelector<HTMLElement>("button[tabindex='0']")?.focus(),
  });
  const theme = state.doc.attrs as Record<string, string>;
  const names = useMemo(() => variables.map(({ name }) => name), [variables]);
  const colors = {
    "--letter-background": theme.background,
    "--letter-paper": theme.paper,
    "--letter-text": theme.text,
    "--letter-accent": theme.accent,
    "--letter-button-text": theme.buttonText,
  } as CSSProperties;
  return (
    <Stack gap="xs">
      <Toolbar
        state={state}
        run={run}
        variables={variables}
        bar={bar}
        // The field is there once the selection is in the link.
        onLink={() => requestAnimationFrame(() => link.current?.focus())}
      />
      <div
        className={classes.canvas}
        style={colors}
        onClick={({ target }) => {
          // Below the letter its settings may be out of sight.
          const isBlock = (target as Element).closest("[contenteditable=false]") !== null;
          if (isBlock && below.current?.firstChild) {
            requestAnimationFrame(() => below.current?.scrollIntoView({ block: "nearest" }));
          }
        }}
      >
        <div ref={place} lang={locale} />
      </div>
      <Group justify="space-between" gap="xs">
        <PathBar state={state} run={run} />
        <Text size="xs" c="dimmed" id={hint}>
          {t("templates.builder.hint")}
        </Text>
      </Group>
      <div ref={below}>
        <Panel state={state} run={run} house={house} variables={names} linkRef={link} />
      </div>
    </Stack>
  );
}

function useWords(): BlockWords {
  const { t } = useTranslation();
  return {
    noPicture: t("templates.builder.noPicture"),
    foreignPicture: t("templates.builder.foreignPicture"),
    noLinks: t("templates.builder.noLinks"),
    emptyHtml: t("templates.builder.emptyHtml"),
    html: t("templates.builder.blocks.html"),
    footer: t("templates.builder.emptyFooter"),
    spacer: (height) => t("templates.builder.spacerOf", { height }),
    condition: (variable, operator, value) =>
      variable
        ? t(`templates.builder.conditions.${operator}`, { variable, value })
        : t("templates.builder.noVariable"),
  };
}
