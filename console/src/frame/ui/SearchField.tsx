import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

const TYPING_MS = 400;

interface Props {
  label: string;
  /** the text that is searched for; most often it is in the address */
  value: string;
  onChange: (value: string) => void;
}

/**
 * Searches after a pause in typing, or at once with Enter. What comes back as `value` after that is not typed into the
 * field again; only another value is, such as that of an earlier address.
 */
export function SearchField({ label, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const [before, setBefore] = useState(value);
  const [sent, setSent] = useState(value.trim());
  if (value !== before) {
    setBefore(value);
    if (value.trim() !== sent) {
      setText(value);
      setSent(value.trim());
    }
  }
  // The newest function: a filter that was chosen during the pause is part of what it searches for.
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  function send(typed: string) {
    setSent(typed.trim());
    change.current(typed.trim());
  }
  useEffect(() => {
    if (text.trim() === sent) return;
    const timer = setTimeout(() => send(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, sent]);
  return (
    <TextInput
      size="xs"
      w={210}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") send(text);
      }}
    />
  );
}
