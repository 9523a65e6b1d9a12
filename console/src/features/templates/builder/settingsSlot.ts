import { createContext } from "react";

/** Where the settings of a block stand: beside the letter. null: there is no room, and they stand below it. */
export const SettingsSlot = createContext<HTMLElement | null>(null);
