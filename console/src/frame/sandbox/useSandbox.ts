import { useMemo } from "react";
import { useQuery } from "urql";
import { graphql } from "../../gql";
import type { SendingChannelsQuery } from "../../gql/graphql";
import { useViewer } from "../session";

/** The page on which an administrator sets up a provider. */
export const PROVIDERS_PATH = "/system/providers";

export const SendingChannels = graphql(`
  query SendingChannels {
    sendingChannels {
      channel
      sandbox
      reportsDelivery
    }
  }
`);

export type SendingChannel = NonNullable<SendingChannelsQuery["sendingChannels"]>[number];

/** The channels, and which of them are the sandbox's; empty before they are known. */
export function useSendingChannels(): readonly SendingChannel[] {
  return useAnswer().data?.sendingChannels ?? [];
}

/** Whether the server has said which channels are the sandbox's: until then no notice is in its place. */
export function useSandboxAnswered(): boolean {
  const { may } = useViewer();
  const { data, error } = useAnswer();
  return data !== undefined || error !== undefined || !may("messages:read");
}

function useAnswer() {
  const { may } = useViewer();
  // An operator changes it with a restart, so that one answer a login is enough.
  return useQuery({
    query: SendingChannels,
    requestPolicy: "cache-first",
    pause: !may("messages:read"),
  })[0];
}

/** The channels whose providers don't report what was delivered: "sent" is the last that is known of a message. */
export function useSilentChannels(): ReadonlySet<string> {
  const channels = useSendingChannels();
  return useMemo(
    () => new Set(channels.filter((item) => !item.reportsDelivery).map(({ channel }) => channel)),
    [channels],
  );
}

/** The channel, if the sandbox takes its messages; else null, also before that is known. */
export function useSandbox(channel: string): SendingChannel | null {
  return useSendingChannels().find((item) => item.channel === channel && item.sandbox) ?? null;
}
