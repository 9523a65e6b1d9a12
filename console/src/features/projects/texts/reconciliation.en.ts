export default {
  reconciliation: {
    title: "Reconciliation",
    balanced: "All numbers add up",
    open: "The numbers do not add up",
    made: "Number {{number}}, {{time}}.",
    waiting: "Some reports are still waited for; a further one follows.",
    none: "It is made when the project has finished, within a few seconds.",
    equation:
      "{{all}} messages = {{sent}} sent + {{skipped}} skipped + {{failed}} failed + {{unknown}} unknown + {{canceled}} canceled",
    money: "Charged {{charged}}, refunded {{refunded}}; the messages cost {{prices}}.",
    difference: "{{what}}: counted {{counted}}, recorded {{recorded}}",
    root: "Root of all messages:",
    save: "Save the signed document",
    print: "Open the page to print",
    verify: "Anyone can check the file, without this service:",
    more: "Line by line, and for one person:",
  },
};
