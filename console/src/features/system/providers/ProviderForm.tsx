import {
  Alert,
  Button,
  Group,
  Paper,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { SendingChannels } from "../../../frame/sandbox/useSandbox";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import type { ProvidersQuery, TestProviderMutation } from "../../../gql/graphql";
import { CHANNELS, type ProviderChannel } from "./channels";
import { SetUpProvider, TestProvider } from "./documents";

type Provider = NonNullable<ProvidersQuery["providers"]>[number];
type Field = Provider["fields"][number];
type Tested = NonNullable<TestProviderMutation["testProvider"]>;

interface Props {
  providers: readonly Provider[];
  /** receives the name of the route and its channel */
  onDone: (name: string, channel: ProviderChannel) => void;
}

/** Asks for what the driver says that it needs, tries it with one message, and sets it up. */
export function ProviderForm({ providers, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const [channel, setChannel] = useState<ProviderChannel>("email");
  const fitting = providers.filter((each) => each.channels.includes(channel));
  const [chosen, setChosen] = useState("");
  const provider = fitting.find((each) => each.name === chosen) ?? fitting[0];
  const [values, setValues] = useState<Record<string, string>>({});
  const [to, setTo] = useState("");
  const [busy, setBusy] = useState<"test" | "use" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  if (!provider) return null;

  const change = (act: () => void) => {
    setProblem(null);
    setTested(null);
    act();
  };
  const names = provider.fields.map(({ name }) => name);
  const input = {
    channel,
    provider: provider.name,
    values: Object.fromEntries(
      Object.entries(values).filter(([name, value]) => names.includes(name) && value),
    ),
  };
  const isComplete = provider.fields.every(({ name, required }) => !required || values[name]?.trim());

  async function test() {
    setBusy("test");
    change(() => undefined);
    const { data, error } = await client
      .mutation(TestProvider, { input: { ...input, to: to.trim() } })
      .toPromise();
    setBusy(null);
    if (error) setProblem(problemOf(error));
    if (data?.testProvider) setTested(data.testProvider);
  }

  async function use() {
    setBusy("use");
    setProblem(null);
    const { data, error } = await client.mutation(SetUpProvider, { input }).toPromise();
    setBusy(null);
    if (error) setProblem(problemOf(error));
    if (data?.setUpProvider) {
      setValues({});
      setTested(null);
      // The mark of the test mode, in the head of every page.
      void client.query(SendingChannels, {}, { requestPolicy: "network-only" }).toPromise();
      onDone(data.setUpProvider.name, channel);
    }
  }

  return (
    <Paper p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void use();
        }}
      >
        <Stack gap="sm" maw={560}>
          <Title order={2}>{t("system.providers.setUp")}</Title>
          <SegmentedControl
            aria-label={t("system.providers.channel")}
            value={channel}
            onChange={(value) => change(() => setChannel(value))}
            data={CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
          />
          <Select
            label={t("system.providers.provider")}
            description={provider.about}
            allowDeselect={false}
            value={provider.name}
            onChange={(value) => change(() => setChosen(value ?? ""))}
            data={fitting.map(({ name, label }) => ({ value: name, label }))}
          />
          {provider.fields.map((field) => (
            <ProviderInput
              key={`${provider.name} ${field.name}`}
              field={field}
              label={field.label}
              value={values[field.name] ?? ""}
              onChange={(value) => change(() => setValues((before) => ({ ...before, [field.name]: value })))}
            />
          ))}
          <TextInput
            label={t("system.providers.to")}
            description={t("system.providers.toHint")}
            value={to}
            maxLength={4096}
            onChange={(event) => change(() => setTo(event.currentTarget.value))}
          />
          {problem && <ProblemNotice problem={problem} />}
          {tested && <TestResult tested={tested} />}
          <Group gap="sm">
            <Button
              type="button"
              variant="default"
              loading={busy === "test"}
              disabled={!isComplete || !to.trim() || busy !== null}
              onClick={() => void test()}
            >
              {t("system.providers.test")}
            </Button>
            <Button type="submit" loading={busy === "use"} disabled={!isComplete || busy !== null}>
              {t("system.providers.use")}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            {t(channel === "sms" ? "system.providers.smsHint" : "system.providers.useHint")}
          </Text>
        </Stack>
      </form>
    </Paper>
  );
}

interface InputProps {
  field: Field;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function ProviderInput({ field, label, value, onChange }: InputProps) {
  const { t } = useTranslation();
  const shared = { label, description: field.about, withAsterisk: field.required };
  if (field.choices.length > 0)
    return (
      <Select
        {...shared}
        allowDeselect={false}
        value={value || field.default || null}
        onChange={(next) => onChange(next ?? "")}
        data={[...field.choices]}
      />
    );
  const typed = {
    ...shared,
    value,
    autoComplete: "off",
    maxLength: 2000,
    placeholder: field.default ?? field.example,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return field.secret ? (
    <PasswordInput
      {...typed}
      visibilityToggleButtonProps={{ "aria-label": t("system.providers.show", { label }) }}
    />
  ) : (
    <TextInput {...typed} />
  );
}

/** What the provider answered. */
function TestResult({ tested }: { tested: Tested }) {
  const { t } = useTranslation();
  return (
    <Alert
      color={tested.sent ? "teal" : "red"}
      role="status"
      title={t(tested.sent ? "system.providers.accepted" : "system.providers.notAccepted", {
        seconds: tested.seconds.toFixed(1),
      })}
    >
      {tested.reason ??
        (tested.providerMessageId ? t("system.providers.id", { id: tested.providerMessageId }) : null)}
      {tested.code && (
        <Text size="xs" c="dimmed">
          {tested.code}
        </Text>
      )}
    </Alert>
  );
}
