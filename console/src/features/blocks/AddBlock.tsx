import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { BlockScope } from "../../gql/graphql";
import { useContentKey } from "../../frame/api/ContentKey";
import { Block } from "./documents";
import { ScopeChoice } from "./ScopeChoice";

interface Props {
  onClose: () => void;
  onAdded: (address: string) => void;
}

export function AddBlock({ onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const [address, setAddress] = useState("");
  const [scope, setScope] = useState<BlockScope>("all");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function add(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const block = { phone: address.trim(), input: { scope } };
    const { data, error } = await client.mutation(Block, block, keys.of(block)).toPromise();
    setBusy(false);
    if (data?.blockPhone) {
      keys.renew();
      onAdded(data.blockPhone.phone);
    } else if (error) setProblem(problemOf(error));
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t("blocks.addTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={add} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("blocks.address")}
            placeholder="+14155550100"
            value={address}
            error={problem?.fields.phone}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <ScopeChoice value={scope} onChange={setScope} />
          {problem && !problem.fields.phone && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={!address.trim()}>
              {t("blocks.add")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
