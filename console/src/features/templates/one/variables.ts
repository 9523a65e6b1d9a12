interface Variable {
  name: string;
  label: string | null;
}

/**
 * Returns the variables that are offered: the fields of the owner's contacts, what each contact has, and the links. Those
 * that only the test data has come last, with `sample` as their label; one that differs by its case alone from another
 * is no further one.
 */
export function variablesOf(
  ofContacts: readonly (Variable & { isField: boolean })[],
  links: readonly string[],
  ofTestData: readonly string[],
  sample: string,
): Variable[] {
  const fields = ofContacts.filter(({ isField }) => isField);
  const others = ofContacts.filter(({ isField }) => !isField);
  const own = [...fields, ...others].map(({ name, label }) => ({ name, label }));
  const offered = [...own, ...links.map((name) => ({ name, label: null }))];
  const has = new Set(offered.map(({ name }) => name.toLowerCase()));
  const samples = ofTestData.filter((name) => !has.has(name.toLowerCase()));
  return [...offered, ...samples.map((name) => ({ name, label: sample }))];
}
