import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useLoaded } from "../../frame/api/useLoaded";
import type { SetBrand } from "../../gql/graphql";
import { PreviewBrand } from "./documents";
import { inputOf, type Draft } from "./draft";

const TYPING_MS = 400;

/** A page for recipients in the dress that is being edited, and the contrasts of its colors. */
export function usePreview(draft: Draft) {
  const [locale, setLocale] = useState("en");
  const [written] = useDebouncedValue(JSON.stringify(inputOf(draft)), TYPING_MS);
  const input = JSON.parse(written) as SetBrand;
  const isEmpty = !input.name;
  const { data, problem, loading } = useLoaded(PreviewBrand, { input, locale }, isEmpty);
  return {
    html: data?.brandPreview?.html ?? null,
    contrasts: data?.brandPreview?.contrasts ?? [],
    isEmpty,
    /** whether what is written now is not valid yet */
    old: Boolean(problem) && !isEmpty,
    loading,
    locale,
    setLocale,
  };
}

export type PreviewState = ReturnType<typeof usePreview>;
