import { Button, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../../frame/i18n";
import classes from "../builder.module.css";
import { FONTS } from "../document/schema";
import type { House } from "../document/starters";
import type { Fields } from "./fields";

const COLORS = ["background", "paper", "text", "accent", "buttonText"] as const;

/** The looks of the whole letter. */
export function LetterFields({ node, set, house }: Fields & { house: House }) {
  const { t } = useTranslation();
  const theme = node.attrs as Record<string, string>;
  return (
    <>
      {COLORS.map((name) => (
        <ColorField
          key={`${name} ${theme[name]}`}
          label={t(`templates.builder.colors.${name}`)}
          value={theme[name] ?? ""}
          onChange={(value) => set(name, value)}
        />
      ))}
      <Select
        size="xs"
        label={t("templates.builder.font")}
        allowDeselect={false}
        value={theme.font ?? "system"}
        onChange={(value) => value && set("font", value)}
        data={FONTS.map((value) => ({ value, label: t(`templates.builder.fonts.${value}`) }))}
      />
      {Object.keys(house.theme).length > 0 && (
        <Button
          className={classes.wide}
          variant="default"
          size="xs"
          onClick={() => Object.entries(house.theme).forEach(([name, value]) => set(name, value))}
        >
          {t("templates.builder.fromBrand")}
        </Button>
      )}
    </>
  );
}

interface ColorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A color as it is typed; the letter takes it once it is one. */
function ColorField({ label, value, onChange }: ColorProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const isColor = /^#[0-9a-f]{6}$/i.test(typed);
  return (
    <TextInput
      size="xs"
      label={label}
      maxLength={7}
      spellCheck={false}
      value={typed}
      rightSection={
        <input
          type="color"
          aria-label={label}
          tabIndex={-1}
          className={classes.color}
          value={isColor ? typed : value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      error={!isColor && t("templates.builder.badColor")}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        if (/^#[0-9a-f]{6}$/i.test(next) && next !== value) onChange(next);
      }}
    />
  );
}
