import { Input } from "@mantine/core";
import { useId, type Ref } from "react";
import { piecesOf } from "./liquid";
import classes from "./liquidEditor.module.css";

interface Props {
  label: string;
  description?: string;
  value: string;
  error?: string;
  /** a fixed-width font, for HTML */
  code?: boolean;
  /** for one line */
  short?: boolean;
  inputRef?: Ref<HTMLTextAreaElement>;
  onChange: (value: string) => void;
  onFocus?: () => void;
}

/** A text field that colors the Liquid in it. */
export function LiquidEditor(props: Props) {
  const {
    label,
    description,
    value,
    error,
    code = false,
    short = false,
    inputRef,
    onChange,
    onFocus,
  } = props;
  const id = useId();
  const direction = code ? "ltr" : "auto";
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <div
        className={[classes.editor, code && classes.code, short && classes.short].filter(Boolean).join(" ")}
        data-invalid={error ? true : undefined}
      >
        <div className={classes.paint} dir={direction} aria-hidden>
          {piecesOf(value).map((piece, index) =>
            piece.kind === "text" ? (
              piece.text
            ) : (
              <span key={index} className={classes[piece.kind]}>
                {piece.text}
              </span>
            ),
          )}
          {"\u200b"}
        </div>
        <textarea
          ref={inputRef}
          rows={short ? 1 : 2}
          id={id}
          className={classes.input}
          dir={direction}
          value={value}
          spellCheck={!code}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
          onFocus={onFocus}
        />
      </div>
    </Input.Wrapper>
  );
}
