import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import { Alert, Code, Loader, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { SegmentFilter, SegmentRowFragment } from "../../../gql/graphql";
import { Builder } from "./Builder";
import { CreateSegment, UpdateSegment } from "./documents";
import { filterOf, groupsOf, NEW, type Group } from "./model";
import { SizeNow } from "./SizeNow";
import { useNames, type Names } from "./useNames";
import classes from "./segments.module.css";

interface Props {
  /** absent for a new one */
  segment?: SegmentRowFragment;
  onClose: () => void;
  onSaved: (name: string) => void;
}

interface Values extends Record<string, unknown> {
  name: string;
  /** null: the fields can't show the stored filter, which stays as it is */
  groups: readonly Group[] | null;
}

/** Adds a segment, or changes one. What its conditions name is loaded first. */
export default function SegmentDialog(props: Props) {
  const { t } = useTranslation();
  const names = useNames(props.segment?.filter);
  if (names.loaded) return <Fields {...props} names={names} />;
  const title = t(props.segment ? "segments.editTitle" : "segments.add");
  const waiting = { problem: null, busy: false };
  return (
    <FormDialog
      size="xl"
      title={title}
      form={waiting}
      action={t("common.save")}
      disabled
      onSubmit={(event) => event.preventDefault()}
      onClose={props.onClose}
    >
      {names.problem ? (
        <ProblemNotice problem={names.problem} onRetry={names.reload} />
      ) : (
        <Loader size="sm" aria-label={t("common.loading")} />
      )}
    </FormDialog>
  );
}

function Fields({ segment, names, onClose, onSaved }: Props & { names: Names }) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const [first] = useState(() => (segment ? groupsOf(segment.filter, names.types) : [[NEW]]));
  const form = useRequestForm<Values>({ initialValues: { name: segment?.name ?? "", groups: first } });
  const { name, groups } = form.getValues();
  const filter = groups && filterOf(groups, names.types);

  const save = form.sends(async (values) => {
    const asked = values.groups && filterOf(values.groups, names.types);
    const input = { name: values.name.trim(), ...(asked && { filter: asked }) };
    if (segment) {
      const { data, error } = await client.mutation(UpdateSegment, { id: segment.uuid, input }).toPromise();
      if (!data?.updateSegment) return error;
    } else if (asked) {
      const made = { ...input, filter: asked };
      const { data, error } = await client
        .mutation(CreateSegment, { input: made }, keys.of(made))
        .toPromise();
      if (!data?.createSegment) return error;
      keys.renew();
    }
    onSaved(input.name);
  });

  return (
    <FormDialog
      size="xl"
      title={t(segment ? "segments.editTitle" : "segments.add")}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={!name.trim() || (groups !== null && !filter && t("segments.incomplete"))}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("segments.name")}
        withAsterisk
        maxLength={100}
        {...form.getInputProps("name")}
      />
      {groups ? (
        <Builder groups={groups} names={names} onChange={(next) => form.setFieldValue("groups", next)} />
      ) : (
        <>
          <Alert role="note">{t("segments.asJson")}</Alert>
          <Code block className={classes.json} tabIndex={0} aria-label={t("segments.conditions")}>
            {JSON.stringify(segment?.filter, null, 2)}
          </Code>
        </>
      )}
      <SizeNow filter={groups ? filter : (segment?.filter as SegmentFilter)} quiet={form.problem !== null} />
    </FormDialog>
  );
}
