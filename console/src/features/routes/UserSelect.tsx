import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { RouteUsers } from "./documents";

interface User {
  uuid: string;
  email: string;
}

interface Props {
  /** the user whom the rule has so far */
  first: User | null;
  value?: string | null;
  onChange: (uuid: string | null) => void;
  error?: ReactNode;
}

const TYPING_MS = 300;
const LONGEST = 100;

/** Finds a user by a part of the email address or the name. */
export function UserSelect({ first, value = null, ...props }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim().slice(0, LONGEST), TYPING_MS);
  const { data } = useLoaded(RouteUsers, { where: sought ? { text: { contains: sought } } : {} });
  const [chosen, setChosen] = useState(first);
  const found = data?.users?.nodes ?? [];
  const users = chosen && !found.some(({ uuid }) => uuid === chosen.uuid) ? [chosen, ...found] : found;
  return (
    <Select
      label={t("routes.user")}
      placeholder={t("routes.allUsers")}
      clearable
      searchable
      nothingFoundMessage={t("routes.noUser")}
      onSearchChange={setText}
      // The server has searched.
      filter={({ options }) => options}
      data={users.map(({ uuid, email }) => ({ value: uuid, label: email }))}
      {...props}
      value={value}
      onChange={(uuid) => {
        setChosen(users.find((user) => user.uuid === uuid) ?? null);
        props.onChange(uuid);
      }}
    />
  );
}
