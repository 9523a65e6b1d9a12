const texts = {
  domains: {
    about: "Emails are sent from addresses of these domains once their records are in the DNS.",
    search: "Part of the name",
    name: "Domain",
    nameHint: "Without @, such as example.com. A subdomain is a domain of its own.",
    state: "State",
    states: { pending: "Not verified", verified: "Verified", lost: "Record lost", expired: "Expired" },
    owner: "Owner",
    checked: "Last checked",
    never: "not yet",
    added: "Added",
    add: "Add a domain",
    addTitle: "Add a domain",
    empty: "There is no domain yet.",
    emptyHint: "Add a domain of yours, and emails can be sent from its addresses.",
    nothingFound: "No domain matches.",
    total_one: "{{number}} domain",
    total_other: "{{number}} domains",
    more: "Show more",
    notFound: "There is no domain at this address. It may have been deleted.",
    next: {
      pending: "Set the records below at your DNS provider, then check.",
      lost: "The verification record is gone. Set it again: emails are sent until {{until}}.",
      expired:
        "The verification record has been gone for a week, and nothing is sent. Set it again, then check.",
    },
    unsigned:
      "Emails may be sent from it, but they are not signed yet. Set the record of the DKIM key, then check.",
    records: "Records to set",
    recordsHint: "At the DNS provider of the domain. DNS servers may need an hour to show a new record.",
    purposes: { verification: "Verification", dkim: "DKIM key" },
    recordStates: { pending: "Not seen yet", active: "In use", retired: "Retired" },
    recordHints: {
      pending: "It has not been seen yet: set it.",
      active: "It was seen: leave it as it is.",
      retired: "A newer key signs. Remove this record when it is not shown here any more.",
    },
    recordType: "Type",
    recordName: "Name",
    recordValue: "Value",
    copyName: "Copy the name {{name}}",
    copyValue: "Copy the value of {{name}}",
    findings: "What the DNS says",
    findingStates: { ok: "Well", warning: "Warning", error: "Error", unknown: "Unknown" },
    topics: {
      dkim: "DKIM",
      dmarc: "DMARC",
      alignment: "Alignment",
      spf: "SPF",
      mx: "MX of bounces",
      ptr: "PTR",
      helo: "HELO",
      dns: "DNS",
    },
    check: "Check now",
    checkedVerified: "{{name}} is verified: emails may be sent from it.",
    checkAny: "Check any domain",
    selector: "Selector",
    selectorHint: "Only this key of the installation. Without one: all of them.",
    rotate: "New DKIM key",
    rotateTitle: "Make a new DKIM key for {{name}}?",
    rotateText:
      "It signs when its record is seen. The key before it signs until then, and its record must stay for a week longer.",
    rotated: "The new key waits for its record: set it, then check.",
    delete: "Delete",
    deleteTitle: "Delete the domain {{name}}?",
    deleteText: "Its keys are deleted, too. Emails from it that still wait will fail.",
  },
};

export default texts;

declare module "../../../frame/i18n/catalogue" {
  interface Texts {
    domains: typeof texts;
  }
}
