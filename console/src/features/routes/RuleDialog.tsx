import "@mantine/core/styles/Switch.css";
import { Select, Switch, Text, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { CreateRouteRule, UpdateRouteRule } from "./documents";
import { CATEGORIES, EMPTY, inputOf, isPrefix, isWhole, type Draft } from "./draft";
import classes from "./routes.module.css";
import type { Route } from "./RouteTable";
import type { RuleRow } from "./useRouteRules";
import { UserSelect } from "./UserSelect";

interface Props {
  /** the rule that is changed; null: a new one is added */
  row: RuleRow | null;
  /** the configured routes of SMS */
  routes: readonly Route[];
  onClose: () => void;
  onDone: () => void;
}

/** Adds a rule, or changes one. */
export function RuleDialog({ row, routes, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm<Draft>({
    initialValues: row ? draftOf(row) : EMPTY,
    validate: {
      prefix: (text) => (isPrefix(text) ? null : t("routes.wrongPrefix")),
      priority: (text) => (isWhole(text, 0) ? null : t("routes.wrongNumber", { least: 0 })),
      weight: (text) => (isWhole(text, 1) ? null : t("routes.wrongNumber", { least: 1 })),
    },
  });
  const { route } = form.getValues();
  const names = routes.map(({ name }) => name);

  const save = form.sends(async (values) => {
    const input = inputOf(values);
    if (row) {
      const { error } = await client.mutation(UpdateRouteRule, { id: row.uuid, input }).toPromise();
      if (error) return error;
    } else {
      const { error } = await client.mutation(CreateRouteRule, { input }, keys.of(input)).toPromise();
      if (error) return error;
      keys.renew();
    }
    onDone();
  });

  return (
    <FormDialog
      title={t(row ? "routes.changeTitle" : "routes.add")}
      form={form}
      onSubmit={save}
      action={t(row ? "common.save" : "routes.add")}
      disabled={!route}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("routes.prefix")}
        description={t("routes.prefixHint")}
        placeholder={t("routes.allNumbers")}
        inputMode="tel"
        maxLength={32}
        {...form.getInputProps("prefix")}
      />
      <Select
        label={t("routes.route")}
        withAsterisk
        allowDeselect={false}
        {...form.getInputProps("route")}
        data={[
          ...names.map((name) => ({ value: name, label: name })),
          // A rule may name a route that is configured no more.
          ...(row && !names.includes(row.route)
            ? [{ value: row.route, label: `${row.route} (${t("routes.uses.missing")})` }]
            : []),
        ]}
      />
      <Select
        label={t("routes.messages")}
        placeholder={t("routes.allMessages")}
        clearable
        {...form.getInputProps("category")}
        data={CATEGORIES.map((value) => ({ value, label: t(`routes.categories.${value}`) }))}
      />
      <UserSelect first={row?.owner ?? null} {...form.getInputProps("ownerId")} />
      <div className={classes.pair}>
        <TextInput label={t("routes.priority")} inputMode="numeric" {...form.getInputProps("priority")} />
        <TextInput label={t("routes.weight")} inputMode="numeric" {...form.getInputProps("weight")} />
      </div>
      <Text size="xs" c="dimmed">
        {t("routes.orderHint")}
      </Text>
      <Switch
        label={t("routes.fallback")}
        description={t("routes.fallbackHint")}
        {...form.getInputProps("fallback", { type: "checkbox" })}
      />
    </FormDialog>
  );
}

function draftOf({ prefix, route, category, owner, priority, weight, fallback }: RuleRow): Draft {
  return {
    prefix: prefix && `+${prefix}`,
    route,
    category,
    ownerId: owner?.uuid ?? null,
    priority: String(priority),
    weight: String(weight),
    fallback,
  };
}
