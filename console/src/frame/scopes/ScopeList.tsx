import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/SimpleGrid.css";
import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";
import classes from "./scopes.module.css";
import { byArea, presetsOf, type Permission } from "./permissions";

interface Props {
  permissions: readonly Permission[];
  value: readonly string[];
  error: ReactNode;
  onChange: (scopes: string[]) => void;
}

/** The permissions of a token or a member, by area, with buttons that tick those which are often wanted together. */
export function ScopeList({ permissions, value, error, onChange }: Props) {
  const { t, textOr } = useTranslation();
  return (
    <Stack gap="xs">
      <Group gap={6} role="group" aria-label={t("scopeList.presets")}>
        <Text size="xs" c="dimmed">
          {t("scopeList.presets")}
        </Text>
        {presetsOf(permissions).map(({ preset, scopes, granted }) => (
          <Button
            key={preset}
            variant="default"
            size="compact-xs"
            disabled={!granted}
            title={granted ? undefined : t("scopeList.presetBeyond")}
            onClick={() => onChange([...new Set([...value, ...scopes])])}
          >
            {textOr(`scopeList.presetNames.${preset}`, preset)}
          </Button>
        ))}
        <Button variant="subtle" size="compact-xs" disabled={value.length === 0} onClick={() => onChange([])}>
          {t("scopeList.untickAll")}
        </Button>
      </Group>
      <Checkbox.Group
        aria-label={t("scopeList.label")}
        value={[...value]}
        error={error}
        onChange={(next) => onChange(next)}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs">
          {byArea(permissions).map(([area, those]) => (
            <fieldset key={area} className={classes.area}>
              <legend>{textOr(`scopes.${area}.area`, area)}</legend>
              {those.map((permission) => (
                <Scope
                  key={permission.name}
                  permission={permission}
                  ticked={value.includes(permission.name)}
                />
              ))}
            </fieldset>
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </Stack>
  );
}

/** A permission that the user does not have can only be taken away. */
function Scope({ permission, ticked }: { permission: Permission; ticked: boolean }) {
  const { t, textOr } = useTranslation();
  const { name, description, granted } = permission;
  const text = textOr(`scopes.${name.replace(":", ".")}`, "");
  return (
    <Checkbox
      size="xs"
      value={name}
      disabled={!granted && !ticked}
      label={text || <span lang="en">{description}</span>}
      description={
        <>
          <span className={classes.name}>{name}</span>
          {!granted && ` · ${t("scopeList.notYours")}`}
        </>
      }
    />
  );
}
