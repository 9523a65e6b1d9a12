import type { PermissionsQuery, TokenPreset } from "../../gql/graphql";

export type Permission = NonNullable<PermissionsQuery["permissions"]>[number];

/** Returns the areas of the permissions, in the order of the server, with the permissions of each. */
export function byArea(permissions: readonly Permission[]): [string, Permission[]][] {
  const areas = new Map<string, Permission[]>();
  for (const permission of permissions) {
    const area = permission.name.split(":")[0] ?? permission.name;
    areas.set(area, [...(areas.get(area) ?? []), permission]);
  }
  return [...areas];
}

/** Returns the presets, with the permissions of each, and whether the user has all of these. */
export function presetsOf(
  permissions: readonly Permission[],
): { preset: TokenPreset; scopes: string[]; granted: boolean }[] {
  const presets = [...new Set(permissions.flatMap((permission) => permission.presets))];
  return presets.map((preset) => {
    const those = permissions.filter((permission) => permission.presets.includes(preset));
    return {
      preset,
      scopes: those.map(({ name }) => name).sort(),
      granted: those.every(({ granted }) => granted),
    };
  });
}

/** Returns the preset that has just these permissions. */
export function presetWith(
  scopes: readonly string[],
  permissions: readonly Permission[],
): TokenPreset | null {
  const sorted = [...scopes].sort().join(" ");
  return presetsOf(permissions).find((item) => item.scopes.join(" ") === sorted)?.preset ?? null;
}
