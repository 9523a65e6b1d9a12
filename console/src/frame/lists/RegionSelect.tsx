import { Select } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../api/useLoaded";
import { useTranslation } from "../i18n";
import { Countries } from "./documents";

const KEY = "postern-console-region";

/** The country of numbers without a country code: the one that was chosen last, or the server's default. */
export function useRegion() {
  const [region, setRegion] = useState<string | null>(() => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  });
  function choose(next: string | null) {
    setRegion(next);
    try {
      if (next) localStorage.setItem(KEY, next);
      else localStorage.removeItem(KEY);
    } catch {
      // Storage is blocked: the choice holds until the page is closed.
    }
  }
  return [region, choose] as const;
}

interface Props {
  value: string | null;
  onChange: (region: string | null) => void;
}

export function RegionSelect({ value, onChange }: Props) {
  const { t, language } = useTranslation();
  const countries = useLoaded(Countries, { language });
  return (
    <Select
      maw={360}
      label={t("lists.region")}
      placeholder={t("lists.regionDefault")}
      searchable
      clearable
      value={value}
      onChange={onChange}
      data={(countries.data?.countries ?? []).map(({ code, name, dialCode }) => ({
        value: code,
        label: `${name} (+${dialCode.replace(/^\+/, "")})`,
      }))}
    />
  );
}
