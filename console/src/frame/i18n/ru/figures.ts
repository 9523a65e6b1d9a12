import type { Translation } from "../catalogue";
import type en from "../en/figures";

export default {
  figures: { progressOf: "Ход рассылки {{name}}" },
  forecast: {
    rate: "Около {{number}} в минуту.",
    done: "Закончится в {{time}}.",
    both: "Около {{number}} в минуту, закончится в {{time}}.",
  },
} satisfies Translation<typeof en>;
