import { useForm, type UseFormInput, type UseFormReturnType } from "@mantine/form";
import { useRef, useState, type SyntheticEvent } from "react";
import type { CombinedError } from "urql";
import { problemOf, type Problem } from "../api/errors";
import { placed } from "./placed";

interface Options<Values extends Record<string, unknown>> extends UseFormInput<Values> {
  /** the form's name of a field that the API calls otherwise */
  names?: Readonly<Record<string, keyof Values & string>>;
  /** the fields that are in the form now; default: all of `initialValues` */
  shown?: (values: Values) => readonly (keyof Values & string)[];
}

type Request<Values> = (values: Values) => Promise<CombinedError | null | undefined>;

export interface RequestForm<Values extends Record<string, unknown>> extends UseFormReturnType<Values> {
  /** what is to be said beside the fields; null if each sentence is at its field */
  problem: Problem | null;
  /** the last problem, also if it is at the fields */
  refused: Problem | null;
  busy: boolean;
  /** forgets what the server has said */
  forget: () => void;
  /** sends the values once, and keeps them if the server refuses */
  send: (request: Request<Values>) => Promise<void>;
  /** the form's onSubmit, which sends */
  sends: (request: Request<Values>) => (event?: SyntheticEvent<HTMLFormElement>) => void;
}

/**
 * A form that is sent to the server. A sentence of the server about a field stands at the field until somebody changes it,
 * and the first such field has the focus.
 */
export function useRequestForm<Values extends Record<string, unknown>>({
  names = {},
  shown,
  onValuesChange,
  ...input
}: Options<Values>): RequestForm<Values> {
  const [refused, setRefused] = useState<Problem | null>(null);
  const [notice, setNotice] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const forget = () => {
    setRefused(null);
    setNotice(null);
  };
  const form = useForm<Values>({
    ...input,
    onValuesChange: (values, before) => {
      forget();
      onValuesChange?.(values, before);
    },
  });
  const send: RequestForm<Values>["send"] = async (request) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    forget();
    try {
      const values = form.getValues();
      const error = await request(values);
      if (!error) return;
      const problem = problemOf(error);
      const { errors, elsewhere } = placed(problem, shown?.(values) ?? Object.keys(values), names);
      setRefused(problem);
      setNotice(elsewhere);
      form.setErrors(errors);
      const [first] = Object.keys(errors);
      if (first !== undefined) form.getInputNode(first)?.focus();
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  const sends: RequestForm<Values>["sends"] = (request) => form.onSubmit(() => send(request));
  return { ...form, problem: notice, refused, busy, forget, send, sends };
}
