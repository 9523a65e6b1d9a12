import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";

interface Props {
  label: string;
  options: { value: string; label: string }[];
  chosen: string[];
  /** whether several may be chosen at once */
  several?: boolean;
  onChange: (chosen: string[]) => void;
}

/** A small button that shows a filter's value and opens its choices. */
export function FilterMenu({ label, options, chosen, several = false, onChange }: Props) {
  const names = options.filter((option) => chosen.includes(option.value)).map((option) => option.label);
  function toggle(value: string) {
    const on = chosen.includes(value);
    if (several) onChange(on ? chosen.filter((item) => item !== value) : [...chosen, value]);
    else onChange(on ? [] : [value]);
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant={names.length > 0 ? "light" : "default"}
          rightSection={<IconChevronDown size={14} />}
          fw={500}
          maw={260}
        >
          {names.length > 0 ? `${label}: ${names.join(", ")}` : label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        {options.map(({ value, label: name }) => (
          <Menu.CheckboxItem
            key={value}
            checked={chosen.includes(value)}
            closeMenuOnClick={!several}
            onChange={() => toggle(value)}
          >
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
