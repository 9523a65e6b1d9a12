import { Input, NumberInput, SegmentedControl, TextInput } from "@mantine/core";
import type { Node } from "prosemirror-model";
import type { Ref } from "react";
import { useTranslation } from "../../../../frame/i18n";
import { safeUrl } from "../document/liquid";
import { ALIGNMENTS, type Alignment } from "../document/schema";

/** What the fields of a block need. */
export interface Fields {
  node: Node;
  set: (name: string, value: unknown) => void;
}

interface Field<Value> {
  value: Value;
  onChange: (value: Value) => void;
}

export function AlignField({ value, onChange }: Field<Alignment>) {
  const { t } = useTranslation();
  return (
    <Input.Wrapper label={t("templates.builder.align")} labelElement="div">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("templates.builder.align")}
        value={value}
        onChange={(next) => onChange(ALIGNMENTS.find((one) => one === next) ?? "left")}
        data={ALIGNMENTS.map((one) => ({ value: one, label: t(`templates.builder.alignments.${one}`) }))}
      />
    </Input.Wrapper>
  );
}

interface UrlProps extends Field<string> {
  label: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** The address of a link. What is no address of one is left out of the letter, and it says so. */
export function UrlField({ label, value, onChange, inputRef }: UrlProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      label={label}
      description={t("templates.builder.urlHint", { example: "{{ unsubscribe_url }}" })}
      placeholder="https://"
      maxLength={2_000}
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      error={value.trim() !== "" && safeUrl(value) === "" && t("templates.builder.badUrl")}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface NumberProps {
  label: string;
  value: number | null;
  least: number;
  most: number;
  placeholder?: string;
  onChange: (value: number | null) => void;
}

/** A number of pixels within its limits; null while it is empty. */
export function PixelField({ label, value, least, most, placeholder, onChange }: NumberProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      {...(placeholder && { placeholder })}
      min={least}
      max={most}
      allowDecimal={false}
      clampBehavior="blur"
      hideControls
      value={value ?? ""}
      onChange={(next) => {
        if (next === "") onChange(null);
        else if (typeof next === "number" && next >= least && next <= most) onChange(next);
      }}
    />
  );
}
