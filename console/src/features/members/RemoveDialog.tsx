import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { Question } from "../../frame/ui/dialogs/Question";
import type { MemberRowFragment } from "../../gql/graphql";
import { RemoveMember } from "./documents";
import { inUseOf, nothingKept, type InUse, type Keep } from "./inUse";
import { KeepFields } from "./KeepFields";

interface Props {
  member: MemberRowFragment;
  onClose: () => void;
  /** `ended` is the number of credentials that have ended with the membership */
  onRemoved: (ended: number) => void;
}

/** Asks before a member is removed, and what becomes of credentials that the member has made and that are in use. */
export function RemoveDialog({ member, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const [credentials, setCredentials] = useState<readonly InUse[]>([]);
  const [keep, setKeep] = useState<Keep>({});
  const { uuid, email, joinedAt } = member;
  return (
    <Question
      title={t(joinedAt ? "members.removeTitle" : "members.withdrawTitle", { email })}
      question={t(joinedAt ? "members.removeText" : "members.withdrawText")}
      action={t(joinedAt ? "members.remove" : "members.withdraw")}
      mutation={RemoveMember}
      variables={{ id: uuid, input: keep }}
      onProblem={(problem) => {
        const asked = inUseOf(problem);
        setCredentials(asked);
        setKeep((before) => ({ ...nothingKept(asked), ...before }));
        return asked.length > 0;
      }}
      onDone={(data) => onRemoved(data.endMember?.ended.length ?? 0)}
      onClose={onClose}
    >
      <KeepFields
        credentials={credentials}
        keep={keep}
        onChange={(part) => setKeep((before) => ({ ...before, ...part }))}
      />
    </Question>
  );
}
