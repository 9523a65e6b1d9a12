/** The channels whose providers are set up here; messengers have accounts instead. */
export const CHANNELS = ["email", "sms", "push"] as const;

export type ProviderChannel = (typeof CHANNELS)[number];
