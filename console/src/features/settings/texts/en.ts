const texts = {
  settings: {
    about:
      "Values that your programs keep under a key. They don't change how Postern works; that is under “System”.",
    tabs: { settings: "Settings of programs", storage: "Key-value storage" },
    what: "Values that programs keep under a key, such as ui.theme. Postern itself does not read them: its own settings are environment variables, which the page System checks.",
    whatStorage:
      "Values that your programs keep with Postern under a key. They may expire. Only you see them.",
    holder: "Whose settings",
    own: "Your own settings",
    ofAccount: "Account {{name}}",
    search: "Key or value",
    searchPrefix: "Beginning of the key",
    key: "Key",
    value: "Value",
    type: "Type",
    kinds: { text: "Text", number: "Number", boolean: "Yes or no", json: "JSON" },
    yes: "Yes",
    no: "No",
    expires: "Expires",
    never: "never",
    in: "in {{duration}}",
    total_one: "{{number}} setting",
    total_other: "{{number}} settings",
    totalValues_one: "{{number}} value",
    totalValues_other: "{{number}} values",
    empty: "There are no settings here. A program stores them through the API, or you add one.",
    emptyStorage: "Nothing is stored here. A program stores values through the API, or you add one.",
    nothingFound: "Nothing with this text.",
    more: "Show more",
    add: "Add a setting",
    addValue: "Add a value",
    addTitle: "Add a value",
    editTitle: "Change the value",
    saved: "{{key}} is saved.",
    remove: "Delete",
    removeOf: "Delete {{key}}",
    removeTitle: "Delete {{key}}?",
    removeText: "Programs that read this key then find nothing. This can't be undone.",
    removed: "{{key}} is deleted.",
    wrongKey: "Use 1 to 128 letters, digits, dots, hyphens and underscores.",
    wrongStorageKey: "Use 1 to 256 characters.",
    wrong: {
      number: "This is not a number.",
      json: "This is not JSON. Texts stand in double quotes.",
      tooLong: "This value is too long.",
    },
    changed: "This value has changed meanwhile",
    changedTo: "Nothing is saved yet. This is the value now:",
    changedGone: "Nothing is saved yet. Somebody has deleted the key.",
    takeNew: "Take this value",
    replace: "Replace it",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    settings: typeof texts;
  }
}
