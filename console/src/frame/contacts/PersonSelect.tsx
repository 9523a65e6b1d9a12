import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { PersonFragment, ProjectChannel } from "../../gql/graphql";
import { useTranslation } from "../i18n";
import { addressOn } from "./person";
import { usePeople } from "./usePeople";

const TYPING_MS = 300;

interface Props {
  label: string;
  description?: string;
  channel: ProjectChannel;
  /** who can be chosen before a text is typed; default: the newest contacts */
  first?: readonly PersonFragment[];
  value: PersonFragment | null;
  size?: "xs" | "sm";
  onChange: (person: PersonFragment | null) => void;
  clearable?: boolean;
  /** what is there while nobody is chosen */
  placeholder?: string;
}

/** Chooses a contact by words of the name or by the address. */
export function PersonSelect(props: Props) {
  const { label, description, channel, first, value, size = "sm", onChange, clearable = false } = props;
  const { placeholder } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const nameOf = (person: PersonFragment) => {
    const address = addressOn(person, channel) ?? "";
    return person.name ? `${person.name} (${address})` : address;
  };
  // The field shows whom it has; that is no search.
  const asked = value && text === nameOf(value) ? "" : text;
  const found = usePeople(asked, channel, asked === "" && first !== undefined);
  const people = asked === "" && first ? first : found.people;
  const rows = value && !people.some(({ uuid }) => uuid === value.uuid) ? [value, ...people] : people;
  return (
    <Select
      size={size}
      label={label}
      {...(description && { description })}
      placeholder={placeholder ?? t("people.find")}
      searchable
      clearable={clearable}
      allowDeselect={false}
      value={value?.uuid ?? null}
      onChange={(uuid) => onChange(rows.find((row) => row.uuid === uuid) ?? null)}
      onSearchChange={setTyped}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={found.loading ? t("common.loading") : t("people.nobody")}
      rightSection={found.loading ? <Loader size={12} aria-hidden /> : undefined}
      data={rows.map((row) => ({ value: row.uuid, label: nameOf(row) }))}
    />
  );
}
