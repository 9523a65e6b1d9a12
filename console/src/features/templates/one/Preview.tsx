import {
  Alert,
  Group,
  Loader,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Title,
} from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import { PersonSelect } from "../../../frame/contacts/PersonSelect";
import { useSeesContacts } from "../../../frame/contacts/usePeople";
import { useTranslation } from "../../../frame/i18n";
import { snippetOf } from "../../../frame/liquid/snippet";
import { HtmlFrame } from "../../../frame/ui/HtmlFrame";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import classes from "../templates.module.css";
import type { PreviewState } from "./usePreview";

const CHANNELS = ["email", "sms", "push", "telegram", "whatsapp"] as const;
/** The width of a letter in each, in pixels. */
const WIDTHS = { desktop: 700, phone: 375 } as const;

/** A text as it is received: on a desktop or a phone, light or dark, with the values of a contact or the test data. */
export function Preview({ state }: { state: PreviewState }) {
  const { t } = useTranslation();
  const sees = useSeesContacts();
  const [device, setDevice] = useState<keyof typeof WIDTHS>("desktop");
  const { ref, width } = useElementSize();
  // A letter that is wider than its column is shown smaller, and not as on a narrow screen.
  const zoom = width > 0 ? Math.min(1, width / WIDTHS[device]) : 1;
  const [dark, setDark] = useState(false);
  const { channel, person, rendered, loading, problem, isEmpty } = state;
  return (
    <Paper p="sm" className={classes.beside}>
      <Stack gap="sm">
        <Group gap={8}>
          <Title order={2}>{t("templates.preview")}</Title>
          {loading && <Loader size={12} aria-label={t("common.loading")} />}
        </Group>
        <div className={classes.choices}>
          <Select
            size="xs"
            label={t("templates.channel")}
            allowDeselect={false}
            value={channel}
            onChange={(value) => state.choose(CHANNELS.find((one) => one === value) ?? null)}
            data={CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
          />
          {sees && (
            <PersonSelect
              size="xs"
              label={t("templates.values")}
              channel={channel}
              clearable
              placeholder={t("templates.ofTestData")}
              value={person}
              onChange={state.pick}
            />
          )}
        </div>
        {problem && <ProblemNotice problem={problem} onRetry={state.reload} />}
        {isEmpty && (
          <Text size="sm" c="dimmed">
            {t("templates.noText")}
          </Text>
        )}
        {state.old && <Alert color="blue">{t("templates.oldPreview")}</Alert>}
        {state.partial && !isEmpty && <Alert color="blue">{t("templates.partialPreview")}</Alert>}
        {rendered && channel === "email" && (
          <>
            <div className={classes.inbox}>
              <strong dir="auto">{rendered.subject || t("templates.noSubject")}</strong>{" "}
              <span dir="auto">{snippetOf(rendered.body, rendered.html ?? null)}</span>
            </div>
            {rendered.html && (
              <>
                <Group justify="space-between">
                  <SegmentedControl
                    size="xs"
                    aria-label={t("templates.device")}
                    value={device}
                    onChange={(value) => setDevice(value === "phone" ? "phone" : "desktop")}
                    data={(["desktop", "phone"] as const).map((value) => ({
                      value,
                      label: t(`templates.devices.${value}`),
                    }))}
                  />
                  <Switch
                    size="xs"
                    label={t("templates.dark")}
                    checked={dark}
                    onChange={(event) => setDark(event.currentTarget.checked)}
                  />
                </Group>
                <div ref={ref}>
                  <div className={classes.screen} style={{ width: WIDTHS[device], zoom }}>
                    <HtmlFrame html={rendered.html} title={t("templates.htmlPreview")} dark={dark} />
                  </div>
                </div>
              </>
            )}
          </>
        )}
        {rendered && channel === "push" && rendered.subject && (
          <Text size="sm" fw={600} dir="auto">
            {rendered.subject}
          </Text>
        )}
        {rendered?.body && (
          <div>
            {channel === "email" && (
              <Text size="xs" c="dimmed" mb={4}>
                {t("templates.parts.text")}
              </Text>
            )}
            <div
              dir="auto"
              className={classes.plain}
              // What is too long is scrolled, by keys as well.
              tabIndex={0}
              role="group"
              aria-label={t("templates.parts.text")}
            >
              {rendered.body}
            </div>
          </div>
        )}
        {rendered?.segments != null && (
          <Text size="xs" c="dimmed">
            {t("templates.segments", { count: rendered.segments })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
