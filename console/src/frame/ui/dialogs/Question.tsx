import { useState, type ReactNode } from "react";
import { useClient, type AnyVariables, type TypedDocumentNode } from "urql";
import { problemOf, type Problem } from "../../api/errors";
import { Confirm } from "./Confirm";

interface Props<Data, Variables extends AnyVariables> {
  title: string;
  question: string;
  action: string;
  /** the text of the button that changes nothing; default: "Cancel" */
  keep?: string;
  mutation: TypedDocumentNode<Data, Variables>;
  variables: Variables;
  /** what is chosen together with the answer */
  children?: ReactNode;
  onDone: (data: Data) => void;
  /** returns whether the children show what the problem asks, so that the dialog does not */
  onProblem?: (problem: Problem) => boolean;
  onClose: () => void;
}

/** Asks, and then runs a mutation. An error stays in the dialog. */
export function Question<Data, Variables extends AnyVariables>(props: Props<Data, Variables>) {
  const client = useClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  async function run() {
    const { data, error } = await client.mutation(props.mutation, props.variables).toPromise();
    if (error) {
      const refused = problemOf(error);
      setProblem(props.onProblem?.(refused) ? null : refused);
    } else if (data) props.onDone(data);
  }
  return (
    <Confirm
      opened
      title={props.title}
      question={props.question}
      action={props.action}
      {...(props.keep && { keep: props.keep })}
      problem={problem}
      onConfirm={run}
      onClose={props.onClose}
    >
      {props.children}
    </Confirm>
  );
}
