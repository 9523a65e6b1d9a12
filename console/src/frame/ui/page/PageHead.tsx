import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./pageHead.module.css";

interface Props {
  title: string;
  /** beside the title: a state, or how fresh the numbers are */
  note?: ReactNode;
  /** below the title: one sentence about the page */
  about?: string | undefined;
  /** the buttons; the last one is what somebody most likely wants */
  children?: ReactNode;
}

/** The head of a page: its title at the start, its buttons at the end. */
export function PageHead({ title, note, about, children }: Props) {
  return (
    <div>
      <div className={classes.head}>
        <div className={classes.title}>
          <Title order={1}>{title}</Title>
          {note}
        </div>
        {children && (
          <div className={classes.actions} data-actions>
            {children}
          </div>
        )}
      </div>
      {about && (
        <Text size="sm" c="dimmed" mt={4}>
          {about}
        </Text>
      )}
    </div>
  );
}
