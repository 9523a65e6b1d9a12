import { useQuery } from "urql";
import { graphql } from "../../gql";
import type { SendingChannelsQuery } from "../../gql/graphql";

export const SendingChannels = graphql(`
  query SendingChannels {
    sendingChannels {
      channel
      sandbox
      setting
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
  const { data, error } = useAnswer();
  return data !== undefined || error !== undefined;
}

function useAnswer() {
  // An operator changes it with a restart, so that one answer a login is enough.
  return useQuery({ query: SendingChannels, requestPolicy: "cache-first" })[0];
}

/** The channel, if the sandbox takes its messages; else null, also before that is known. */
export function useSandbox(channel: string): SendingChannel | null {
  return useSendingChannels().find((item) => item.channel === channel && item.sandbox) ?? null;
}
