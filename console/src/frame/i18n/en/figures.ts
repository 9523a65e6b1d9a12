export default {
  figures: { progressOf: "Progress of {{name}}" },
  forecast: {
    rate: "About {{number}} a minute.",
    done: "Done {{time}}.",
    both: "About {{number}} a minute, done {{time}}.",
  },
};
