import { Button, FileButton, Group, Select, Stack } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { requestHeaders } from "../../frame/api/early";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import type { RequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import classes from "./brand.module.css";
import { LogoPictures, UploadLogo } from "./documents";
import type { Draft } from "./draft";

const KINDS = "image/png,image/jpeg,image/gif,image/webp";
const NONE = "";

/** Chooses one of the owner's pictures as the logo, or uploads one. */
export function LogoField({ form, writes }: { form: RequestForm<Draft>; writes: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const { may } = useViewer();
  const { data, reload } = useLoaded(LogoPictures, {}, !may("files:read"));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const pictures = data?.pictures?.nodes ?? [];
  const { logoUuid } = form.getValues();
  const chosen = pictures.find(({ uuid }) => uuid === logoUuid);

  async function upload(file: File | null) {
    if (!file) return;
    setBusy(true);
    setProblem(null);
    const headers = { ...requestHeaders(), Accept: "application/json", "GraphQL-Require-Preflight": "1" };
    const result = await client
      .mutation(UploadLogo, { file }, { fetchOptions: { credentials: "same-origin", headers } })
      .toPromise();
    setBusy(false);
    if (result.data?.uploadPicture) {
      form.setFieldValue("logoUuid", result.data.uploadPicture.uuid);
      reload();
    } else if (result.error) setProblem(problemOf(result.error));
  }

  const options = pictures.map(({ uuid, name }) => ({ value: uuid, label: name }));
  if (logoUuid && !chosen) options.push({ value: logoUuid, label: logoUuid });
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="xs" wrap="wrap">
        <Select
          flex={1}
          miw={180}
          label={t("brand.logo")}
          description={t("brand.logoHint")}
          allowDeselect={false}
          searchable
          value={logoUuid ?? NONE}
          onChange={(value) => form.setFieldValue("logoUuid", value === NONE ? null : value)}
          data={[{ value: NONE, label: t("brand.noLogo") }, ...options]}
          error={form.errors.logoUuid}
        />
        {writes && may("files:write") && (
          <FileButton accept={KINDS} onChange={(file) => void upload(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={busy} leftSection={<IconUpload size={14} />}>
                {t("brand.upload")}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {chosen && <img className={classes.logo} src={chosen.url} alt={chosen.name} />}
      {problem && <ProblemNotice problem={problem} />}
    </Stack>
  );
}
