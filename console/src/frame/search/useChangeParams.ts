import { useCallback } from "react";
import { useNavigate } from "react-router";

/**
 * Returns a function that changes parts of the address; null removes one.
 *
 * It reads the address at that moment, because a step may change it after it has waited for the server.
 */
export function useChangeParams() {
  const navigate = useNavigate();
  return useCallback(
    (parts: Record<string, string | null>, replace = false) => {
      const params = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(parts)) {
        if (value === null) params.delete(name);
        else params.set(name, value);
      }
      void navigate({ search: params.toString() }, { replace });
    },
    [navigate],
  );
}
