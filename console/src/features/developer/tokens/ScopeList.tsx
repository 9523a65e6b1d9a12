import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import classes from "../developer.module.css";
import { byArea, presetsOf, type Permission } from "./draft";

interface Props {
  permissions: readonly Permission[];
  value: readonly string[];
  error: string | undefined;
  onChange: (scopes: string[]) => void;
}

/** The permissions of a token, by area, with buttons that tick those which are often wanted together. */
export function ScopeList({ permissions, value, error, onChange }: Props) {
  const { t, textOr } = useTranslation();
  return (
    <Stack gap="xs">
      <Group gap={6} role="group" aria-label={t("tokens.presets")}>
        <Text size="xs" c="dimmed">
          {t("tokens.presets")}
        </Text>
        {presetsOf(permissions).map(({ preset, scopes, granted }) => (
          <Button
            key={preset}
            variant="default"
            size="compact-xs"
            disabled={!granted}
            title={granted ? undefined : t("tokens.presetBeyond")}
            onClick={() => onChange([...new Set([...value, ...scopes])])}
          >
            {textOr(`tokens.presetNames.${preset}`, preset)}
          </Button>
        ))}
        <Button variant="subtle" size="compact-xs" disabled={value.length === 0} onClick={() => onChange([])}>
          {t("tokens.untickAll")}
        </Button>
      </Group>
      <Checkbox.Group
        aria-label={t("tokens.scopes")}
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
          {!granted && ` · ${t("tokens.notYours")}`}
        </>
      }
    />
  );
}
