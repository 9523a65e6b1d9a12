/** The colours of the states that a delivery can be in. */
export const DELIVERY_COLORS = { waiting: "blue", delivered: "teal", dead: "red" } as const;
