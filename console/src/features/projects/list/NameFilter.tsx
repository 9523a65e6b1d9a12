import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";

const TYPING_MS = 400;

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Searches after a pause in typing, or at once with Enter. */
export function NameFilter({ label, value, onChange }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only typing begins the pause again
  }, [text]);
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
        if (event.key === "Enter") onChange(text);
      }}
    />
  );
}
