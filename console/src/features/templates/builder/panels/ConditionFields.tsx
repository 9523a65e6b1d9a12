import { Autocomplete, Button, Select, TextInput } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import { isVariable } from "../document/liquid";
import { OPERATORS, type Operator } from "../document/schema";
import { unwrapCondition } from "../editor/commands";
import type { Run } from "../editor/useLetter";
import type { Fields } from "./fields";

interface NameProps {
  value: string;
  variables: readonly string[];
  onChange: (name: string) => void;
}

function NameField({ value, variables, onChange }: NameProps) {
  const { t } = useTranslation();
  return (
    <Autocomplete
      size="xs"
      label={t("templates.builder.name")}
      maxLength={200}
      autoCapitalize="off"
      spellCheck={false}
      data={[...variables]}
      value={value}
      error={value !== "" && !isVariable(value) && t("templates.builder.badName")}
      onChange={onChange}
    />
  );
}

export function VariableFields({ node, set, variables }: Fields & { variables: readonly string[] }) {
  const { t } = useTranslation();
  const { name, fallback } = node.attrs as { name: string; fallback: string };
  return (
    <>
      <NameField value={name} variables={variables} onChange={(value) => set("name", value)} />
      <TextInput
        size="xs"
        label={t("templates.builder.fallback")}
        description={t("templates.builder.fallbackHint")}
        maxLength={500}
        value={fallback}
        onChange={(event) => set("fallback", event.currentTarget.value)}
      />
    </>
  );
}

interface ConditionProps extends Fields {
  variables: readonly string[];
  pos: number;
  run: Run;
}

export function ConditionFields({ node, set, variables, pos, run }: ConditionProps) {
  const { t } = useTranslation();
  const { variable, operator, value } = node.attrs as {
    variable: string;
    operator: Operator;
    value: string;
  };
  const compares = operator === "equals" || operator === "differs";
  return (
    <>
      <NameField value={variable} variables={variables} onChange={(name) => set("variable", name)} />
      <Select
        size="xs"
        label={t("templates.builder.operator")}
        allowDeselect={false}
        value={operator}
        onChange={(next) => next && set("operator", next)}
        data={OPERATORS.map((one) => ({ value: one, label: t(`templates.builder.operators.${one}`) }))}
      />
      {compares && (
        <TextInput
          size="xs"
          label={t("templates.builder.value")}
          maxLength={500}
          value={value}
          onChange={(event) => set("value", event.currentTarget.value)}
        />
      )}
      <Button variant="default" size="xs" onClick={() => run(unwrapCondition(pos))}>
        {t("templates.builder.unwrap")}
      </Button>
    </>
  );
}
