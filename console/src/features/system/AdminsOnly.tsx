import type { ReactNode } from "react";
import { useViewer } from "../../frame/session";
import { NotFound } from "../../frame/ui/NotFound";

/** Shows a page to administrators. For everybody else it does not exist, as the API refuses its data. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  return useViewer().isAdmin ? children : <NotFound />;
}
