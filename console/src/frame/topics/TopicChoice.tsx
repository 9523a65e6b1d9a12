import "@mantine/core/styles/Checkbox.css";
import { Checkbox, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./topicChoice.module.css";

interface Props {
  label: string;
  description?: string;
  /** what can be chosen: topics, or other rows with a name */
  rows: readonly { uuid: string; name: string }[];
  value: readonly string[];
  error?: ReactNode;
  onChange: (value: string[]) => void;
}

/** Chooses some of the topics. */
export function TopicChoice({ label, description, rows, value, error, onChange }: Props) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      error={error}
      value={[...value]}
      onChange={onChange}
    >
      <Stack gap={6} mt={6} className={classes.rows}>
        {rows.map(({ uuid, name }) => (
          <Checkbox key={uuid} value={uuid} label={name} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
