import { Button, Group } from "@mantine/core";
import type { PagedList, PagedState } from "./PagedList";

interface Props<Row extends { uuid: string }> {
  label: string;
  list: PagedList<Row>;
  state: PagedState<Row>;
}

/** The button below a list that loads its next page; nothing if everything is loaded. */
export function LoadMore<Row extends { uuid: string }>({ label, list, state }: Props<Row>) {
  if (state.complete || state.rows.length === 0) return null;
  return (
    <Group justify="center">
      <Button
        variant="default"
        loading={state.loading}
        onClick={() => void (state.problem ? list.retry() : list.more())}
      >
        {label}
      </Button>
    </Group>
  );
}
