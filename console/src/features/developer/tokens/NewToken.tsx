import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { elsewhere, problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { CreateToken } from "./documents";

interface Props {
  onClose: () => void;
  onCreated: (token: string) => void;
}

const LIVES = ["30", "90", "365", "never"] as const;
const DAY_MS = 86_400_000;

export function NewToken({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const [name, setName] = useState("");
  const [life, setLife] = useState<string>("90");
  const [opened] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const expiresAt = life === "never" ? null : new Date(opened + Number(life) * DAY_MS).toISOString();

  async function create(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const { data, error } = await client
      .mutation(CreateToken, { input: { name: name.trim(), expiresAt } })
      .toPromise();
    setBusy(false);
    if (data?.createApiToken) onCreated(data.createApiToken.token);
    else if (error) setProblem(problemOf(error));
  }

  const noticed = elsewhere(problem, ["name"]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("tokens.newTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={create} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("tokens.name")}
            description={t("tokens.nameHint")}
            maxLength={64}
            value={name}
            error={problem?.fields.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t("tokens.life")}
            allowDeselect={false}
            value={life}
            onChange={(value) => setLife(value ?? "90")}
            data={LIVES.map((value) => ({ value, label: t(`tokens.lives.${value}`) }))}
          />
          <Text size="xs" c="dimmed">
            {expiresAt ? t("tokens.endsAt", { time: format.fullTime(expiresAt) }) : t("tokens.endless")}{" "}
            {t("tokens.powers")}
          </Text>
          {noticed && <ProblemNotice problem={noticed} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={!name.trim()}>
              {t("tokens.create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
