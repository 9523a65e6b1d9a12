import { Fragment } from "react";

/** An address on a line of its own, which breaks behind @ and dots before it breaks inside a word. */
export function Address({ children }: { children: string }) {
  return (
    <div>
      {children.split(/(?<=[@.])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </div>
  );
}
