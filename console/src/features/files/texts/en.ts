const texts = {
  files: {
    title: "Files",
    about: "What you have uploaded for projects and lists of recipients, and what exports have made.",
    search: "Part of the name",
    order: "Order",
    orders: { newest: "Newest first", name: "By name", largest: "Largest first" },
    name: "Name",
    type: "Type",
    size: "Size",
    use: "Use",
    owner: "Owner",
    created: "Added",
    download: "Download {{name}}",
    upload: "Upload files",
    uploading: "{{name}}: {{share}} uploaded",
    uploadedOne: "{{name}} is uploaded.",
    uploadedMany_one: "{{number}} file is uploaded.",
    uploadedMany_other: "{{number}} files are uploaded.",
    notUploaded: "{{name}} is not uploaded, nor are the files behind it.",
    uploaded: "Uploaded",
    exported: "Export of {{source}}",
    sources: {
      messages: "messages",
      recipients: "recipients",
      "sending-projects": "projects",
      statistics: "statistics",
      "blocked-phones": "the block list",
    },
    list_one: "List with {{number}} recipient",
    list_other: "List with {{number}} recipients",
    listBeingRead: "List of recipients",
    remove: "Delete",
    removeOf: "Delete {{name}}",
    removeTitle: "Delete {{name}}?",
    removeMany_one: "Delete {{number}} file?",
    removeMany_other: "Delete {{number}} files?",
    removeText:
      "Links to a deleted file stop working. A finished project that is sent again goes out without it. Recipients that were read from it stay.",
    removed_one: "{{number}} file is deleted.",
    removed_other: "{{number}} files are deleted.",
    empty: "There is no file yet.",
    emptyHint: "Upload pictures or documents here, or attach them to a project, and find them here again.",
    nothingFound: "No file has this in its name.",
    total_one: "{{number}} file",
    total_other: "{{number}} files",
    more: "Show more",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    files: typeof texts;
  }
}
