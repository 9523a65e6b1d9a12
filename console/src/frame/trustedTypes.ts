/**
 * Makes the policy that `require-trusted-types-for 'script'` asks for.
 *
 * Mantine and React write the text of style elements through `innerHTML`. This policy lets text pass, and refuses
 * everything that could become an element, so no part of the page can turn a value into HTML by mistake.
 */
interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown;
}

export function plainTextOnly(text: string): string {
  if (text.includes("<")) throw new TypeError("The console does not write HTML.");
  return text;
}

export function installTrustedTypes(): void {
  const factory = (window as Window & { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy("default", { createHTML: plainTextOnly });
}
