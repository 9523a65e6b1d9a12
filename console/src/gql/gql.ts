/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  fragment AccountRow on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n    createdAt\n  }\n": typeof types.AccountRowFragmentDoc,
    "\n  query AccountPage($first: Int!, $after: String, $where: AccountWhere, $count: Boolean!, $admin: Boolean!) {\n    accounts(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AccountRow\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n": typeof types.AccountPageDocument,
    "\n  query OwnerOf($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n": typeof types.OwnerOfDocument,
    "\n  query OneAccount($id: ID!, $admin: Boolean!) {\n    account(id: $id) {\n      ...AccountRow\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n": typeof types.OneAccountDocument,
    "\n  query LedgerPage(\n    $id: ID!\n    $first: Int!\n    $after: String\n    $where: LedgerWhere\n    $admin: Boolean!\n    $messages: Boolean!\n    $projects: Boolean!\n  ) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: $where) {\n        nodes {\n          uuid\n          kind\n          amount\n          note\n          entryCount\n          createdAt\n          projectId\n          projectCost {\n            cost\n            charged\n            refunded\n            entries\n          }\n          message @include(if: $messages) {\n            uuid\n            to\n            channel\n          }\n          sendingProject @include(if: $projects) {\n            uuid\n            name\n          }\n          creator @include(if: $admin) {\n            uuid\n            email\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.LedgerPageDocument,
    "\n  query ProjectEntries($id: ID!, $project: String!, $first: Int!, $after: String) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: { projectId: { eq: $project } }) {\n        nodes {\n          uuid\n          kind\n          amount\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ProjectEntriesDocument,
    "\n  subscription AccountMoved($id: ID!) {\n    messageStatusChanged(accountId: $id) {\n      uuid\n    }\n  }\n": typeof types.AccountMovedDocument,
    "\n  mutation OpenAccount($input: NewAccount!) {\n    createAccount(input: $input) {\n      uuid\n    }\n  }\n": typeof types.OpenAccountDocument,
    "\n  mutation ChangeAccount($id: ID!, $input: AccountPatch!) {\n    updateAccount(id: $id, input: $input) {\n      ...AccountRow\n    }\n  }\n": typeof types.ChangeAccountDocument,
    "\n  mutation SetLowBalance($id: ID!, $below: Decimal) {\n    setLowBalance(id: $id, below: $below) {\n      ...AccountRow\n    }\n  }\n": typeof types.SetLowBalanceDocument,
    "\n  mutation CreditAccount($input: Credit!) {\n    creditAccount(input: $input) {\n      ...AccountRow\n    }\n  }\n": typeof types.CreditAccountDocument,
    "\n  query Currencies($language: String!) {\n    currencies(language: $language) {\n      code\n      name\n    }\n  }\n": typeof types.CurrenciesDocument,
    "\n  query BlockPage($first: Int!, $after: String, $where: BlockedPhoneWhere) {\n    blockedPhones(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        phone\n        reason\n        scope\n        expiresAt\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.BlockPageDocument,
    "\n  query BlockGroups {\n    blockedPhoneSummary {\n      items {\n        reason\n        scope\n        count\n        newestAt\n      }\n    }\n  }\n": typeof types.BlockGroupsDocument,
    "\n  mutation Block($phone: String!, $input: BlockPhone) {\n    blockPhone(phone: $phone, input: $input) {\n      uuid\n      phone\n      reason\n      scope\n      expiresAt\n      createdAt\n    }\n  }\n": typeof types.BlockDocument,
    "\n  mutation BlockPhones($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      nextLine\n      invalid {\n        place\n        message\n      }\n    }\n  }\n": typeof types.BlockPhonesDocument,
    "\n  mutation UnblockPhones($input: UnblockMany!) {\n    unblockPhones(input: $input) {\n      removed\n    }\n  }\n": typeof types.UnblockPhonesDocument,
    "\n  mutation ReadBlockFile($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n": typeof types.ReadBlockFileDocument,
    "\n  query BlockFile($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      total\n      valid\n      invalid\n      rows(first: 5, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            message\n          }\n        }\n      }\n    }\n  }\n": typeof types.BlockFileDocument,
    "\n  mutation ForgetBlockFile($id: ID!, $file: ID!) {\n    deleteRecipientImport(id: $id)\n    deleteFile(id: $file)\n  }\n": typeof types.ForgetBlockFileDocument,
    "\n  query ContactSubscriptions($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ContactSubscriptionsDocument,
    "\n  query ConsentHistory($first: Int!, $after: String, $where: ConsentEntryWhere) {\n    consentEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        action\n        source\n        text\n        evidence\n        ip\n        userAgent\n        createdAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ConsentHistoryDocument,
    "\n  mutation SubscribeContacts($input: SubscribeContacts!) {\n    subscribeContacts(input: $input) {\n      active\n      pending\n      unchanged\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n": typeof types.SubscribeContactsDocument,
    "\n  mutation UnsubscribeContacts($input: UnsubscribeContacts!) {\n    unsubscribeContacts(input: $input) {\n      withdrawn\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n": typeof types.UnsubscribeContactsDocument,
    "\n  query ContactPage($first: Int!, $after: String, $where: ContactWhere, $orderBy: ContactOrder) {\n    contacts(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        externalId\n        addresses {\n          channel\n          address\n        }\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.ContactPageDocument,
    "\n  query ContactFields {\n    contactFields(first: 100, orderBy: { direction: asc }) {\n      nodes {\n        uuid\n        key\n        type\n        label\n      }\n    }\n  }\n": typeof types.ContactFieldsDocument,
    "\n  query OneContact($id: ID!) {\n    contact(id: $id) {\n      uuid\n      name\n      externalId\n      locale\n      timezone\n      fields\n      addresses {\n        channel\n        address\n        primary\n        verifiedAt\n      }\n      createdAt\n      updatedAt\n    }\n  }\n": typeof types.OneContactDocument,
    "\n  query ContactTimeline($id: ID!, $first: Int!, $after: String) {\n    contactTimeline(contactId: $id, first: $first, after: $after) {\n      nodes {\n        uuid: objectUuid\n        kind\n        at\n        channel\n        address\n        direction\n        status\n        text\n        projectUuid\n        accountUuid\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ContactTimelineDocument,
    "\n  query FindContact($address: String!) {\n    contacts(first: 1, where: { address: { eq: $address } }) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": typeof types.FindContactDocument,
    "\n  mutation UpsertContact($input: UpsertContact!) {\n    upsertContact(input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpsertContactDocument,
    "\n  mutation UpdateContact($id: ID!, $input: ContactPatch!) {\n    updateContact(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpdateContactDocument,
    "\n  mutation MergeContacts($id: ID!, $input: MergeContact!) {\n    mergeContacts(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.MergeContactsDocument,
    "\n  mutation DeleteContact($id: ID!) {\n    deleteContact(id: $id)\n  }\n": typeof types.DeleteContactDocument,
    "\n  mutation CreateContactField($input: NewContactField!) {\n    createContactField(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateContactFieldDocument,
    "\n  query Erasures($first: Int!, $after: String, $where: ErasureWhere) {\n    erasures(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        state\n        stateReason\n        contactId\n        requestedBy\n        counts\n        createdAt\n        finishedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.ErasuresDocument,
    "\n  query OneErasure($id: ID!) {\n    erasure(id: $id) {\n      uuid\n      deleted {\n        subjectId\n        name\n      }\n      notErased {\n        kind\n        reason\n      }\n    }\n  }\n": typeof types.OneErasureDocument,
    "\n  mutation ErasePerson($input: ErasePerson!) {\n    erasePerson(input: $input) {\n      uuid\n    }\n  }\n": typeof types.ErasePersonDocument,
    "\n  fragment SignupFormRow on SignupForm {\n    uuid\n    name\n    topicUuids\n    text\n    from\n    redirectUrl\n    enabled\n  }\n": typeof types.SignupFormRowFragmentDoc,
    "\n  query SignupForms($where: SignupFormWhere) {\n    signupForms(first: 100, where: $where) {\n      nodes {\n        ...SignupFormRow\n      }\n    }\n  }\n": typeof types.SignupFormsDocument,
    "\n  mutation CreateSignupForm($input: NewSignupForm!) {\n    createSignupForm(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateSignupFormDocument,
    "\n  mutation UpdateSignupForm($id: ID!, $input: SignupFormPatch!) {\n    updateSignupForm(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpdateSignupFormDocument,
    "\n  mutation DeleteSignupForm($id: ID!) {\n    deleteSignupForm(id: $id)\n  }\n": typeof types.DeleteSignupFormDocument,
    "\n  query PreviewContacts($input: NewContactImport!) {\n    previewContactImport(input: $input) {\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n": typeof types.PreviewContactsDocument,
    "\n  mutation ImportContacts($input: NewContactImport!) {\n    importContacts(input: $input) {\n      uuid\n    }\n  }\n": typeof types.ImportContactsDocument,
    "\n  fragment SegmentRow on Segment {\n    uuid\n    name\n    filter\n    size\n    countedAt\n  }\n": typeof types.SegmentRowFragmentDoc,
    "\n  query SegmentPage($first: Int!, $after: String, $where: SegmentWhere) {\n    segments(first: $first, after: $after, where: $where) {\n      nodes {\n        ...SegmentRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.SegmentPageDocument,
    "\n  query TrySegment($input: PreviewSegment!) {\n    segmentPreview(input: $input) {\n      size\n      sample {\n        uuid\n        name\n        addresses {\n          address\n        }\n      }\n    }\n  }\n": typeof types.TrySegmentDocument,
    "\n  query SegmentProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 50, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 100, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": typeof types.SegmentProjectsDocument,
    "\n  mutation CreateSegment($input: NewSegment!) {\n    createSegment(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateSegmentDocument,
    "\n  mutation UpdateSegment($id: ID!, $input: SegmentPatch!) {\n    updateSegment(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpdateSegmentDocument,
    "\n  mutation CountSegment($id: ID!) {\n    countSegment(id: $id) {\n      ...SegmentRow\n    }\n  }\n": typeof types.CountSegmentDocument,
    "\n  mutation DeleteSegment($id: ID!) {\n    deleteSegment(id: $id)\n  }\n": typeof types.DeleteSegmentDocument,
    "\n  query OneTopic($id: ID!) {\n    topic(id: $id) {\n      ...TopicRow\n    }\n  }\n": typeof types.OneTopicDocument,
    "\n  mutation CreateTopic($input: NewTopic!) {\n    createTopic(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateTopicDocument,
    "\n  mutation UpdateTopic($id: ID!, $input: TopicPatch!) {\n    updateTopic(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpdateTopicDocument,
    "\n  mutation DeleteTopic($id: ID!) {\n    deleteTopic(id: $id)\n  }\n": typeof types.DeleteTopicDocument,
    "\n  query Subscribers($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        contact {\n          uuid\n          name\n          externalId\n          addresses {\n            channel\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.SubscribersDocument,
    "\n  query PreferencesPreview($locale: String) {\n    preferencesPreview(locale: $locale) {\n      html\n      languages\n    }\n    me {\n      uuid\n      selfService\n    }\n  }\n": typeof types.PreferencesPreviewDocument,
    "\n  mutation SaveSelfService($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      selfService\n    }\n  }\n": typeof types.SaveSelfServiceDocument,
    "\n  fragment CountryRuleFields on CountryRule {\n    allow\n    deny\n    perHour\n    perDay\n  }\n": typeof types.CountryRuleFieldsFragmentDoc,
    "\n  query CountryRulesPage($user: ID) {\n    countryRules(userUuid: $user) {\n      installation {\n        ...CountryRuleFields\n      }\n      own {\n        ...CountryRuleFields\n      }\n      effective {\n        ...CountryRuleFields\n      }\n      limited {\n        ownerUuid\n        country\n        cap\n        until\n        createdAt\n      }\n    }\n  }\n": typeof types.CountryRulesPageDocument,
    "\n  query CountryUser($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n": typeof types.CountryUserDocument,
    "\n  mutation SaveCountryRules($input: SetCountryRules!) {\n    setCountryRules(input: $input) {\n      own {\n        ...CountryRuleFields\n      }\n    }\n  }\n": typeof types.SaveCountryRulesDocument,
    "\n  query CheckCountry($to: String!, $user: ID) {\n    checkCountry(to: $to, userUuid: $user) {\n      to\n      country\n      allowed\n      refusedBy\n      leftThisHour\n      leftToday\n    }\n  }\n": typeof types.CheckCountryDocument,
    "\n  query DeliverabilityByProvider($from: DateTime!) {\n    deliverability(dateFrom: $from) {\n      degraded {\n        providerClass\n        accepted\n        policy\n        complaints\n        createdAt\n      }\n      items {\n        providerClass\n        accepted\n        deferred\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        complaints\n        rescued\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n    deliverabilityByProject(dateFrom: $from) {\n      items {\n        sendingProjectUuid\n        name\n        from\n        accepted\n        bounced\n        complaints\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n  }\n": typeof types.DeliverabilityByProviderDocument,
    "\n  query FeedState {\n    eventFeed {\n      recording\n      recordingSince\n      count\n      limit\n      nearlyFull\n      retentionDays\n      oldest\n      newest\n    }\n    eventTypes {\n      type\n      subject\n      data\n      when\n    }\n  }\n": typeof types.FeedStateDocument,
    "\n  subscription WatchEvents($after: String, $types: [String!]) {\n    events(after: $after, types: $types) {\n      uuid\n      cursor\n      type\n      at\n      subject\n      subjectId\n      sendingProjectUuid\n      accountId\n      data\n    }\n  }\n": typeof types.WatchEventsDocument,
    "\n  mutation EnableEvents {\n    enableEvents {\n      recording\n    }\n  }\n": typeof types.EnableEventsDocument,
    "\n  mutation DisableEvents {\n    disableEvents\n  }\n": typeof types.DisableEventsDocument,
    "\n  query HookSecrets($first: Int!, $where: HookSecretWhere) {\n    hookSecrets(first: $first, where: $where) {\n      nodes {\n        uuid\n        kind\n        hint\n        createdAt\n        createdBy\n        lastUsedAt\n        revokedAt\n      }\n    }\n  }\n": typeof types.HookSecretsDocument,
    "\n  mutation RotateHookSecret {\n    rotateHookSecret {\n      secret\n    }\n  }\n": typeof types.RotateHookSecretDocument,
    "\n  mutation CreateHookKey {\n    createHookKey {\n      secret\n    }\n  }\n": typeof types.CreateHookKeyDocument,
    "\n  mutation RevokeHookSecret($id: ID!) {\n    revokeHookSecret(id: $id) {\n      uuid\n    }\n  }\n": typeof types.RevokeHookSecretDocument,
    "\n  query HookMakers {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        userUuid\n        email\n      }\n    }\n  }\n": typeof types.HookMakersDocument,
    "\n  query ProviderRoutes {\n    queueStatistics {\n      routes {\n        name\n      }\n    }\n  }\n": typeof types.ProviderRoutesDocument,
    "\n  fragment TokenRow on ApiToken {\n    uuid\n    name\n    hint\n    createdAt\n    expiresAt\n    revokedAt\n    scopes\n    networks\n    accountIds\n    spendPerDay\n    lastUsedAt\n    lastUsedIp\n    lastRefusedAt\n    lastRefusal\n  }\n": typeof types.TokenRowFragmentDoc,
    "\n  query PayingAccounts {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n": typeof types.PayingAccountsDocument,
    "\n  query Tokens($first: Int!, $after: String, $where: ApiTokenWhere) {\n    apiTokens(first: $first, after: $after, where: $where) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.TokensDocument,
    "\n  mutation CreateToken($input: NewApiToken!) {\n    createApiToken(input: $input) {\n      token\n      apiToken {\n        uuid\n        name\n      }\n    }\n  }\n": typeof types.CreateTokenDocument,
    "\n  mutation ChangeToken($id: ID!, $input: ApiTokenPatch!) {\n    updateApiToken(id: $id, input: $input) {\n      uuid\n      name\n    }\n  }\n": typeof types.ChangeTokenDocument,
    "\n  mutation RevokeToken($id: ID!, $keepWebhooks: Boolean!) {\n    revokeApiToken(id: $id, keepWebhooks: $keepWebhooks) {\n      uuid\n    }\n  }\n": typeof types.RevokeTokenDocument,
    "\n  query Hooks($first: Int!, $ofFeed: Boolean!, $ofAccounts: Boolean!) {\n    webhooks(first: $first) @include(if: $ofFeed) {\n      nodes {\n        ...Hook\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messengerAccounts(first: $first) @include(if: $ofAccounts) {\n      nodes {\n        uuid\n        webhooks(first: 10) {\n          nodes {\n            ...Hook\n          }\n          pageInfo {\n            hasNextPage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n  fragment Hook on Webhook {\n    uuid\n    url\n    enabled\n    disabledReason\n    failures\n    nextAt\n    lastError\n    lastStatus\n    deliveredAt\n    query\n    batch\n    sendingProjectUuid\n    payingAccountId\n    messengerAccountUuid\n    missed\n    createdAt\n    events\n    types\n    replaying\n    waiting\n    dead\n    account {\n      uuid\n      source\n      login\n      name\n    }\n  }\n": typeof types.HooksDocument,
    "\n  query OneHook($id: ID!) {\n    webhook(id: $id) {\n      ...Hook\n    }\n  }\n": typeof types.OneHookDocument,
    "\n  query HookChoices($projects: Boolean!, $accounts: Boolean!, $messengers: Boolean!) {\n    eventTypes {\n      type\n    }\n    sendingProjects(first: 50) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n    messengerAccounts(first: 50) @include(if: $messengers) {\n      nodes {\n        uuid\n        source\n        login\n        name\n      }\n    }\n  }\n": typeof types.HookChoicesDocument,
    "\n  mutation CreateHook($input: NewEventWebhook!) {\n    createWebhook(input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n": typeof types.CreateHookDocument,
    "\n  mutation AddHook($account: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $account, input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n": typeof types.AddHookDocument,
    "\n  mutation ChangeHook($id: ID!, $input: WebhookPatch!) {\n    updateWebhook(id: $id, input: $input) {\n      ...Hook\n    }\n  }\n": typeof types.ChangeHookDocument,
    "\n  mutation DeleteHook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n": typeof types.DeleteHookDocument,
    "\n  mutation TestHook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      answer\n      seconds\n      body\n    }\n  }\n": typeof types.TestHookDocument,
    "\n  mutation RotateHookSigning($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": typeof types.RotateHookSigningDocument,
    "\n  mutation ReplayHook($id: ID!, $input: WebhookReplay!) {\n    replayWebhook(id: $id, input: $input)\n  }\n": typeof types.ReplayHookDocument,
    "\n  mutation ReplayDead($id: ID!, $letters: [ID!]) {\n    replayDeadLetters(webhookId: $id, ids: $letters)\n  }\n": typeof types.ReplayDeadDocument,
    "\n  query PreviewHook($input: WebhookPreview!) {\n    previewWebhook(input: $input) {\n      eventId\n      type\n      body\n      bytes\n      cost\n    }\n  }\n": typeof types.PreviewHookDocument,
    "\n  query HookDeliveries($id: ID!, $first: Int!, $after: String, $where: WebhookDeliveryWhere) {\n    webhookDeliveries(webhookId: $id, first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        type\n        state\n        attempts\n        nextAt\n        lastError\n        lastStatus\n        seconds\n        replayed\n        createdAt\n        deliveredAt\n        deadAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.HookDeliveriesDocument,
    "\n  query OneDelivery($id: ID!) {\n    webhookDelivery(id: $id) {\n      uuid\n      eventId\n      type\n      state\n      attempts\n      nextAt\n      lastError\n      lastStatus\n      answer\n      seconds\n      failedAttempts {\n        at\n        status\n        error\n        seconds\n      }\n      replayed\n      createdAt\n      deliveredAt\n      deadAt\n      body\n    }\n  }\n": typeof types.OneDeliveryDocument,
    "\n  mutation TryHookNow($id: ID!) {\n    tryWebhookNow(id: $id) {\n      uuid\n      failures\n      nextAt\n    }\n  }\n": typeof types.TryHookNowDocument,
    "\n  query DomainPage($first: Int!, $after: String, $where: DomainWhere, $admin: Boolean!) {\n    domains(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        name\n        status\n        checkedAt\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.DomainPageDocument,
    "\n  query OneDomain($id: ID!, $admin: Boolean!) {\n    domain(id: $id) {\n      uuid\n      name\n      status\n      records {\n        purpose\n        name\n        type\n        value\n        selector\n        state\n      }\n      verifiedAt\n      checkedAt\n      lostAt\n      problem\n      createdAt\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n": typeof types.OneDomainDocument,
    "\n  fragment FindingFields on DomainFinding {\n    topic\n    state\n    text\n    recordName\n    recordValue\n  }\n": typeof types.FindingFieldsFragmentDoc,
    "\n  query DomainFindings($id: ID!) {\n    domainFindings(id: $id) {\n      ...FindingFields\n    }\n  }\n": typeof types.DomainFindingsDocument,
    "\n  query DomainCheck($domain: String!, $selector: String) {\n    domainCheck(domain: $domain, selector: $selector) {\n      ...FindingFields\n    }\n  }\n": typeof types.DomainCheckDocument,
    "\n  mutation CreateDomain($input: NewDomain!) {\n    createDomain(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateDomainDocument,
    "\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      uuid\n      status\n    }\n  }\n": typeof types.VerifyDomainDocument,
    "\n  mutation RotateDomainKey($id: ID!) {\n    rotateDomainKey(id: $id) {\n      uuid\n    }\n  }\n": typeof types.RotateDomainKeyDocument,
    "\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n": typeof types.DeleteDomainDocument,
    "\n  query EventSinkPage($first: Int!, $after: String, $owner: Boolean!) {\n    eventSinks(first: $first, after: $after) {\n      nodes {\n        ...Sink\n        owner @include(if: $owner) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n  fragment Sink on EventSink {\n    uuid\n    ownerId\n    name\n    url\n    stream\n    subject\n    makeStream\n    replicas\n    duplicateWindowSeconds\n    types\n    query\n    enabled\n    disabledReason\n    failures\n    failingSince\n    lastError\n    nextAt\n    publishedAt\n    status {\n      lag\n      ratePerSecond\n      published\n      missed\n      replaying\n    }\n  }\n": typeof types.EventSinkPageDocument,
    "\n  query EventSinkTypes {\n    eventTypes {\n      type\n    }\n  }\n": typeof types.EventSinkTypesDocument,
    "\n  mutation CreateEventSink($input: NewEventSink!) {\n    createEventSink(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateEventSinkDocument,
    "\n  mutation ChangeEventSink($id: ID!, $input: EventSinkPatch!) {\n    updateEventSink(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.ChangeEventSinkDocument,
    "\n  mutation DeleteEventSink($id: ID!) {\n    deleteEventSink(id: $id)\n  }\n": typeof types.DeleteEventSinkDocument,
    "\n  mutation TestEventSink($id: ID!) {\n    testEventSink(id: $id) {\n      acknowledged\n      error\n      subject\n      sequence\n      seconds\n    }\n  }\n": typeof types.TestEventSinkDocument,
    "\n  mutation ReplayEventSink($id: ID!, $input: EventSinkReplay!) {\n    replayEventSink(id: $id, input: $input)\n  }\n": typeof types.ReplayEventSinkDocument,
    "\n  query FilePage(\n    $first: Int!\n    $after: String\n    $where: FileWhere\n    $orderBy: FileOrder\n    $admin: Boolean!\n    $imports: Boolean!\n    $exports: Boolean!\n  ) {\n    files(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        mime\n        size\n        createdAt\n        url\n        imports(first: 1) @include(if: $imports) {\n          nodes {\n            uuid\n            status\n            valid\n          }\n        }\n        exports(first: 1) @include(if: $exports) {\n          nodes {\n            uuid\n            source\n            sendingProject {\n              uuid\n              name\n            }\n          }\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.FilePageDocument,
    "\n  mutation DeleteFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n": typeof types.DeleteFileDocument,
    "\n  fragment InboxAnswer on CannedAnswer {\n    uuid\n    shortcut\n    text\n  }\n": typeof types.InboxAnswerFragmentDoc,
    "\n  query InboxAnswers($first: Int!, $after: String, $where: CannedAnswerWhere) {\n    cannedAnswers(first: $first, after: $after, where: $where) {\n      nodes {\n        ...InboxAnswer\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.InboxAnswersDocument,
    "\n  mutation InboxNewAnswer($input: NewCannedAnswer!) {\n    createCannedAnswer(input: $input) {\n      ...InboxAnswer\n    }\n  }\n": typeof types.InboxNewAnswerDocument,
    "\n  mutation InboxChangeAnswer($id: ID!, $input: CannedAnswerPatch!) {\n    updateCannedAnswer(id: $id, input: $input) {\n      ...InboxAnswer\n    }\n  }\n": typeof types.InboxChangeAnswerDocument,
    "\n  mutation InboxDeleteAnswer($id: ID!) {\n    deleteCannedAnswer(id: $id)\n  }\n": typeof types.InboxDeleteAnswerDocument,
    "\n  fragment InboxAccount on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    state\n    next\n  }\n": typeof types.InboxAccountFragmentDoc,
    "\n  fragment InboxChat on MessengerChat {\n    uuid\n    accountId\n    thread\n    kind\n    name\n    phone\n    username\n    unread\n    lastAt\n    closedAt\n    labels {\n      ...InboxLabel\n    }\n  }\n": typeof types.InboxChatFragmentDoc,
    "\n  fragment InboxMessage on MessengerMessage {\n    uuid\n    from\n    name\n    at\n    editedAt\n    deletedAt\n    text\n    outgoing\n    replyTo\n    content {\n      type\n      src\n      filename\n      mime\n      size\n    }\n    reactions {\n      from\n      emoji\n    }\n    status\n    failureCode\n    failureReason\n  }\n": typeof types.InboxMessageFragmentDoc,
    "\n  fragment InboxNote on ChatNote {\n    uuid\n    text\n    createdAt\n    authorId\n    author @include(if: $authors) {\n      displayName\n      email\n    }\n  }\n": typeof types.InboxNoteFragmentDoc,
    "\n  query InboxNotes($chat: ID!, $first: Int!, $authors: Boolean!) {\n    messengerChat(id: $chat) {\n      uuid\n      notes(first: $first) {\n        nodes {\n          ...InboxNote\n        }\n      }\n    }\n  }\n": typeof types.InboxNotesDocument,
    "\n  mutation InboxNewNote($chat: ID!, $text: String!, $authors: Boolean!) {\n    createChatNote(chatId: $chat, input: { text: $text }) {\n      ...InboxNote\n    }\n  }\n": typeof types.InboxNewNoteDocument,
    "\n  mutation InboxDeleteNote($id: ID!) {\n    deleteChatNote(id: $id)\n  }\n": typeof types.InboxDeleteNoteDocument,
    "\n  mutation InboxClose($id: ID!, $upTo: ID) {\n    closeMessengerChat(id: $id, upTo: $upTo) {\n      ...InboxChat\n    }\n  }\n": typeof types.InboxCloseDocument,
    "\n  mutation InboxReopen($id: ID!) {\n    reopenMessengerChat(id: $id) {\n      ...InboxChat\n    }\n  }\n": typeof types.InboxReopenDocument,
    "\n  query InboxAccounts {\n    messengerAccounts(first: 100) {\n      nodes {\n        ...InboxAccount\n      }\n    }\n  }\n": typeof types.InboxAccountsDocument,
    "\n  query InboxPageOfChats($first: Int!, $after: String, $account: ID, $where: MessengerChatWhere) {\n    messengerChats(first: $first, after: $after, accountId: $account, where: $where) {\n      nodes {\n        ...InboxChat\n        messages(first: 1) {\n          nodes {\n            ...InboxMessage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.InboxPageOfChatsDocument,
    "\n  query InboxConversation($id: ID!, $first: Int!) {\n    messengerChat(id: $id) {\n      ...InboxChat\n      messages(first: $first) {\n        nodes {\n          ...InboxMessage\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.InboxConversationDocument,
    "\n  query InboxOlder($account: ID!, $thread: String!, $first: Int!, $after: String) {\n    messengerMessages(accountId: $account, thread: $thread, first: $first, after: $after) {\n      nodes {\n        ...InboxMessage\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.InboxOlderDocument,
    "\n  query InboxChatWith($account: ID!, $to: String!) {\n    messengerMessages(accountId: $account, to: $to, first: 1) {\n      nodes {\n        uuid\n        chat {\n          uuid\n        }\n      }\n    }\n  }\n": typeof types.InboxChatWithDocument,
    "\n  query InboxQuoted($item: ID!, $account: ID!) {\n    messengerMessage(item: $item, accountId: $account) {\n      ...InboxMessage\n    }\n  }\n": typeof types.InboxQuotedDocument,
    "\n  mutation InboxSend($account: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $account, input: $input) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n": typeof types.InboxSendDocument,
    "\n  mutation InboxRead($id: ID!, $upTo: ID) {\n    readMessengerChat(id: $id, upTo: $upTo) {\n      uuid\n      unread\n    }\n  }\n": typeof types.InboxReadDocument,
    "\n  mutation InboxTyping($account: ID!, $input: MessengerPresence!) {\n    sendMessengerTyping(accountId: $account, input: $input)\n  }\n": typeof types.InboxTypingDocument,
    "\n  mutation InboxNotTyping($account: ID!, $to: String!) {\n    resetMessengerTyping(accountId: $account, to: $to)\n  }\n": typeof types.InboxNotTypingDocument,
    "\n  mutation InboxForgetFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n": typeof types.InboxForgetFileDocument,
    "\n  subscription InboxChanged($account: ID) {\n    messengerMessageChanged(accountId: $account) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n": typeof types.InboxChangedDocument,
    "\n  subscription InboxAccountChanged {\n    messengerAccountChanged {\n      account {\n        uuid\n        state\n      }\n    }\n  }\n": typeof types.InboxAccountChangedDocument,
    "\n  query InboxHits($text: String!, $account: ID, $after: String) {\n    messengerMessageSearch(text: $text, accountId: $account, first: 20, after: $after) {\n      nodes {\n        uuid\n        text\n        at\n        outgoing\n        name\n        account {\n          uuid\n        }\n        chat {\n          uuid\n          name\n          phone\n          username\n          thread\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.InboxHitsDocument,
    "\n  fragment InboxLabel on ChatLabel {\n    uuid\n    name\n    color\n  }\n": typeof types.InboxLabelFragmentDoc,
    "\n  query InboxLabels {\n    chatLabels {\n      ...InboxLabel\n    }\n  }\n": typeof types.InboxLabelsDocument,
    "\n  mutation InboxNewLabel($input: NewChatLabel!) {\n    createChatLabel(input: $input) {\n      ...InboxLabel\n    }\n  }\n": typeof types.InboxNewLabelDocument,
    "\n  mutation InboxChangeLabel($id: ID!, $input: ChatLabelPatch!) {\n    updateChatLabel(id: $id, input: $input) {\n      ...InboxLabel\n    }\n  }\n": typeof types.InboxChangeLabelDocument,
    "\n  mutation InboxDeleteLabel($id: ID!) {\n    deleteChatLabel(id: $id)\n  }\n": typeof types.InboxDeleteLabelDocument,
    "\n  mutation InboxSetLabels($id: ID!, $labels: [ID!]!) {\n    setMessengerChatLabels(id: $id, labels: $labels) {\n      ...InboxChat\n    }\n  }\n": typeof types.InboxSetLabelsDocument,
    "\n  query InboxPerson(\n    $address: String!\n    $part: String!\n    $first: Int!\n    $messages: Boolean!\n    $records: Boolean!\n  ) {\n    messages(first: $first, where: { to: { eq: $address } }) @include(if: $messages) {\n      nodes {\n        uuid\n        channel\n        body\n        deliveryState\n        createdAt\n      }\n    }\n    messageRecords(first: $first, where: { to: { eq: $address } }) @include(if: $records) {\n      nodes {\n        uuid\n        channel\n        body\n        status\n        queuedAt\n        sendingProject {\n          uuid\n          name\n        }\n      }\n    }\n    messengerChats(first: 20, where: { text: { contains: $part } }) {\n      nodes {\n        ...InboxChat\n        account {\n          uuid\n          name\n          login\n          source\n        }\n      }\n    }\n  }\n": typeof types.InboxPersonDocument,
    "\n  fragment MemberRow on Member {\n    uuid\n    email\n    role\n    permissions\n    hasOwnPermissions\n    createdAt\n    joinedAt\n    expiresAt\n  }\n": typeof types.MemberRowFragmentDoc,
    "\n  query Members {\n    members(first: 100) {\n      nodes {\n        ...MemberRow\n      }\n    }\n  }\n": typeof types.MembersDocument,
    "\n  mutation InviteMember($input: NewMember!) {\n    inviteMember(input: $input) {\n      token\n      member {\n        ...MemberRow\n      }\n    }\n  }\n": typeof types.InviteMemberDocument,
    "\n  mutation ChangeMember($id: ID!, $input: MemberPatch!) {\n    changeMember(id: $id, input: $input) {\n      ...MemberRow\n    }\n  }\n": typeof types.ChangeMemberDocument,
    "\n  mutation RemoveMember($id: ID!, $input: MemberRemoval) {\n    endMember(id: $id, input: $input) {\n      ended {\n        kind\n        credentialUuid\n        name\n      }\n    }\n  }\n": typeof types.RemoveMemberDocument,
    "\n  mutation AcceptMembership($input: AcceptMembership!) {\n    acceptMembership(input: $input) {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n": typeof types.AcceptMembershipDocument,
    "\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n": typeof types.DirectRowFragmentDoc,
    "\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n": typeof types.RecordRowFragmentDoc,
    "\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.DirectPageDocument,
    "\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.RecordPageDocument,
    "\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": typeof types.DirectTotalDocument,
    "\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": typeof types.RecordTotalDocument,
    "\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n": typeof types.DirectChangedDocument,
    "\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n": typeof types.RecordsMovedDocument,
    "\n  query Choices($accounts: Boolean!, $projects: Boolean!, $tariff: Boolean!) {\n    accounts(first: 100) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff @include(if: $tariff) {\n      code\n      channels\n      prices\n    }\n  }\n": typeof types.ChoicesDocument,
    "\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n": typeof types.SendMessageDocument,
    "\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n": typeof types.SegmentsDocument,
    "\n  fragment AttemptFields on FailedAttempt {\n    at\n    code\n    reason\n    provider\n  }\n": typeof types.AttemptFieldsFragmentDoc,
    "\n  fragment DeliveryFields on WebhookDelivery {\n    uuid\n    type\n    state\n    attempts\n    createdAt\n    webhook {\n      uuid\n      url\n    }\n  }\n": typeof types.DeliveryFieldsFragmentDoc,
    "\n  query OneMessage(\n    $id: ID!\n    $admin: Boolean!\n    $direct: Boolean!\n    $record: Boolean!\n    $deliveries: Boolean!\n    $senders: Boolean!\n  ) {\n    message(id: $id) @include(if: $direct) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      ledgerEntries {\n        uuid\n        kind\n        amount\n        createdAt\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) @include(if: $record) {\n      ...RecordRow\n      attempts\n      variant\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) @include(if: $direct) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      sender\n      sourceAccount @include(if: $senders) {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n": typeof types.OneMessageDocument,
    "\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n": typeof types.OneChangedDocument,
    "\n  mutation BlockRecipients($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      invalid {\n        place\n        message\n      }\n    }\n  }\n": typeof types.BlockRecipientsDocument,
    "\n  fragment ReportFields on MailReport {\n    uuid\n    type\n    bounceClass\n    status\n    code\n    diagnostic\n    createdAt\n  }\n": typeof types.ReportFieldsFragmentDoc,
    "\n  query ReportMail($id: ID!) {\n    mailReportMail(id: $id) {\n      mail\n    }\n  }\n": typeof types.ReportMailDocument,
    "\n  fragment MessengerRow on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    driver\n    state\n    reason\n    reasonCode\n    until\n    attemptsLeft\n    stateAt\n    phone\n    connectedPhone\n    updatedAt\n  }\n": typeof types.MessengerRowFragmentDoc,
    "\n  query MessengerAccountPage($after: String, $where: MessengerAccountWhere, $admin: Boolean!) {\n    messengerAccounts(first: 100, after: $after, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        ...MessengerRow\n        owner @include(if: $admin) {\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.MessengerAccountPageDocument,
    "\n  query MessengerAccountCounts {\n    all: messengerAccounts(first: 1) {\n      totalCount\n    }\n    working: messengerAccounts(first: 1, where: { state: { eq: working } }) {\n      totalCount\n    }\n    login: messengerAccounts(\n      first: 1\n      where: { state: { in: [waitQr, waitPhone, waitCode, waitPassword, showCode] } }\n    ) {\n      totalCount\n    }\n    down: messengerAccounts(first: 1, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      totalCount\n    }\n    moving: messengerAccounts(first: 1, where: { state: { in: [starting, syncing, reconnecting] } }) {\n      totalCount\n    }\n    stopped: messengerAccounts(first: 1, where: { state: { eq: stopped } }) {\n      totalCount\n    }\n  }\n": typeof types.MessengerAccountCountsDocument,
    "\n  subscription MessengerAccountsMoved {\n    messengerAccountChanged {\n      account {\n        ...MessengerRow\n      }\n    }\n  }\n": typeof types.MessengerAccountsMovedDocument,
    "\n  query OneMessengerAccount($id: ID!, $admin: Boolean!) {\n    messengerAccount(id: $id) {\n      ...MessengerRow\n      wanted\n      checkedAt\n      proxy\n      createdAt\n      me {\n        messengerId\n        phone\n        username\n        firstName\n        lastName\n      }\n      owner @include(if: $admin) {\n        email\n      }\n    }\n  }\n": typeof types.OneMessengerAccountDocument,
    "\n  subscription MessengerAccountMoved($id: ID!) {\n    messengerAccountChanged(id: $id) {\n      account {\n        ...MessengerRow\n        wanted\n        checkedAt\n        proxy\n        createdAt\n        me {\n          messengerId\n          phone\n          username\n          firstName\n          lastName\n        }\n      }\n      qrCode {\n        value\n        expiresAt\n        png\n      }\n      pairingCode {\n        value\n        expiresAt\n      }\n      at\n    }\n  }\n": typeof types.MessengerAccountMovedDocument,
    "\n  query MessengerHistory($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      stateChanges {\n        state\n        reason\n        reasonCode\n        until\n        createdAt\n      }\n    }\n  }\n": typeof types.MessengerHistoryDocument,
    "\n  query EnabledDrivers {\n    messengerDrivers {\n      source\n      driver\n      label\n      about\n    }\n  }\n": typeof types.EnabledDriversDocument,
    "\n  mutation AddMessenger($input: NewMessengerAccount!) {\n    addMessengerAccount(input: $input) {\n      uuid\n    }\n  }\n": typeof types.AddMessengerDocument,
    "\n  mutation StartMessenger($id: ID!) {\n    startMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n": typeof types.StartMessengerDocument,
    "\n  mutation StopMessenger($id: ID!) {\n    stopMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n": typeof types.StopMessengerDocument,
    "\n  mutation ClearMessenger($id: ID!) {\n    clearMessengerSession(id: $id) {\n      ...MessengerRow\n    }\n  }\n": typeof types.ClearMessengerDocument,
    "\n  mutation DeleteMessenger($id: ID!) {\n    deleteMessengerAccount(id: $id)\n  }\n": typeof types.DeleteMessengerDocument,
    "\n  mutation SetMessengerPhone($id: ID!, $phone: String) {\n    setMessengerPhone(id: $id, input: { phone: $phone }) {\n      ...MessengerRow\n    }\n  }\n": typeof types.SetMessengerPhoneDocument,
    "\n  mutation SolveChallenge($id: ID!, $code: String!) {\n    solveMessengerChallenge(id: $id, input: { code: $code }) {\n      ...MessengerRow\n    }\n  }\n": typeof types.SolveChallengeDocument,
    "\n  mutation GivePassword($id: ID!, $password: String!) {\n    giveMessengerPassword(id: $id, input: { password: $password }) {\n      ...MessengerRow\n    }\n  }\n": typeof types.GivePasswordDocument,
    "\n  mutation UpdateMessenger($id: ID!, $input: MessengerAccountPatch!) {\n    updateMessengerAccount(id: $id, input: $input) {\n      ...MessengerRow\n      proxy\n    }\n  }\n": typeof types.UpdateMessengerDocument,
    "\n  mutation RenewProxy($id: ID!) {\n    renewMessengerProxy(id: $id) {\n      ...MessengerRow\n      proxy\n    }\n  }\n": typeof types.RenewProxyDocument,
    "\n  mutation SendMessengerTest($id: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $id, input: $input) {\n      uuid\n      status\n    }\n  }\n": typeof types.SendMessengerTestDocument,
    "\n  query MessengerBehaviour($id: ID!) {\n    messengerConfig(id: $id, name: \"default\") {\n      config\n      updatedAt\n    }\n  }\n": typeof types.MessengerBehaviourDocument,
    "\n  mutation SetMessengerBehaviour($id: ID!, $input: NewMessengerConfig!) {\n    setMessengerConfig(id: $id, input: $input) {\n      config\n      updatedAt\n    }\n  }\n": typeof types.SetMessengerBehaviourDocument,
    "\n  query SenderOfAccount($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      sourceAccounts(first: 1) {\n        nodes {\n          uuid\n          login\n        }\n      }\n    }\n  }\n": typeof types.SenderOfAccountDocument,
    "\n  query MessengerWebhooks($id: ID!) {\n    webhooks(accountId: $id, first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        nextAt\n        lastError\n        lastStatus\n        deliveredAt\n        events\n        waiting\n        dead\n      }\n    }\n  }\n": typeof types.MessengerWebhooksDocument,
    "\n  mutation AddMessengerWebhook($id: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $id, input: $input) {\n      webhook {\n        uuid\n        url\n      }\n      secret\n    }\n  }\n": typeof types.AddMessengerWebhookDocument,
    "\n  mutation TestMessengerWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      seconds\n    }\n  }\n": typeof types.TestMessengerWebhookDocument,
    "\n  mutation SwitchMessengerWebhook($id: ID!, $enabled: Boolean!) {\n    updateWebhook(id: $id, input: { enabled: $enabled }) {\n      uuid\n      enabled\n    }\n  }\n": typeof types.SwitchMessengerWebhookDocument,
    "\n  mutation RotateMessengerSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": typeof types.RotateMessengerSecretDocument,
    "\n  mutation DeleteMessengerWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n": typeof types.DeleteMessengerWebhookDocument,
    "\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!, $channel: ProjectChannel) {\n    statisticsGeneral(\n      kind: all\n      interval: $interval\n      dateFrom: $from\n      timezone: $timezone\n      channel: $channel\n    ) {\n      items {\n        from\n        sent\n        delivered\n        failed\n        unknown\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n": typeof types.TrafficDocument,
    "\n  fragment AttentionAccount on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n  }\n": typeof types.AttentionAccountFragmentDoc,
    "\n  query Attention(\n    $admin: Boolean!\n    $own: Boolean!\n    $accounts: Boolean!\n    $projects: Boolean!\n    $messengers: Boolean!\n    $events: Boolean!\n    $tariff: Boolean!\n  ) {\n    me @include(if: $own) {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          ...AttentionAccount\n        }\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        ...AttentionAccount\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } })\n      @include(if: $messengers) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) @include(if: $messengers) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed @include(if: $events) {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff @include(if: $tariff) {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n": typeof types.AttentionDocument,
    "\n  query DoctorFindings {\n    doctor {\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n": typeof types.DoctorFindingsDocument,
    "\n  query Outcomes($from: DateTime!) {\n    statisticsOutcomes(dateFrom: $from) {\n      from\n      countedSince\n      items {\n        kind\n        channel\n        total\n        queued\n        sending\n        sent\n        delivered\n        read\n        failed\n        skipped\n        unknown\n        canceled\n      }\n    }\n  }\n": typeof types.OutcomesDocument,
    "\n  query FailedMessages($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 100, where: $direct) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messageRecords(first: 100, where: $project) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n": typeof types.FailedMessagesDocument,
    "\n  query CauseTotals($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 1, where: $direct) {\n      totalCount\n    }\n    messageRecords(first: 1, where: $project) {\n      totalCount\n    }\n  }\n": typeof types.CauseTotalsDocument,
    "\n  query Active {\n    sendingProjects(first: 6, where: { status: { in: [running, paused, scheduled] } }) {\n      nodes {\n        uuid\n        name\n        status\n        statusReason\n        startAt\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          skipped\n          unknown\n          canceled\n        }\n        progress {\n          total\n          done\n          percent\n          perMinute\n          endsAt\n        }\n      }\n    }\n  }\n": typeof types.ActiveDocument,
    "\n  query Newcomer($me: String!) {\n    messages(first: 20, where: { ownerId: { eq: $me }, direction: { eq: outbound } }) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    delivered: messages(\n      first: 20\n      where: { ownerId: { eq: $me }, direction: { eq: outbound }, deliveryState: { eq: delivered } }\n    ) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    sendingProjects(first: 20, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n        counts {\n          total\n          delivered\n          read\n        }\n      }\n    }\n    messengerAccounts(first: 1, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n      }\n    }\n    apiTokens(first: 1, where: { revoked: { eq: false } }) {\n      nodes {\n        uuid\n      }\n    }\n  }\n": typeof types.NewcomerDocument,
    "\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n": typeof types.DirectSignalDocument,
    "\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n": typeof types.ProjectSignalDocument,
    "\n  mutation LeaveOwner($id: ID!) {\n    leaveOwner(id: $id)\n  }\n": typeof types.LeaveOwnerDocument,
    "\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n": typeof types.ChangePasswordDocument,
    "\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n": typeof types.SaveProfileDocument,
    "\n  query SecondFactors {\n    secondFactors {\n      factors {\n        uuid\n        name\n        confirmedAt\n      }\n      recoveryCodes\n      demanded\n    }\n  }\n": typeof types.SecondFactorsDocument,
    "\n  mutation BeginTotp($input: NewTotp) {\n    beginTotp(input: $input) {\n      factorUuid: uuid\n      secret\n      qrPng\n    }\n  }\n": typeof types.BeginTotpDocument,
    "\n  mutation ConfirmTotp($id: ID!, $input: SecondFactorCode!) {\n    confirmTotp(id: $id, input: $input) {\n      recoveryCodes\n    }\n  }\n": typeof types.ConfirmTotpDocument,
    "\n  mutation RemoveSecondFactor($id: ID!) {\n    removeSecondFactor(id: $id)\n  }\n": typeof types.RemoveSecondFactorDocument,
    "\n  mutation NewRecoveryCodes {\n    newRecoveryCodes {\n      recoveryCodes\n    }\n  }\n": typeof types.NewRecoveryCodesDocument,
    "\n  fragment ProjectRow on SendingProject {\n    uuid\n    name\n    status\n    statusReason\n    resumeAt\n    recipientsPending\n    recipientsError\n    channel\n    startAt\n    createdAt\n    updatedAt\n    startedAt\n    finishedAt\n    counts {\n      total\n      queued\n      sending\n      sent\n      delivered\n      read\n      failed\n      skipped\n      unknown\n      canceled\n      replied\n    }\n    progress {\n      total\n      done\n      percent\n      preparing\n      perMinute\n      etaSeconds\n      endsAt\n    }\n  }\n": typeof types.ProjectRowFragmentDoc,
    "\n  query ProjectRows(\n    $first: Int!\n    $after: String\n    $where: SendingProjectWhere\n    $orderBy: SendingProjectOrder\n  ) {\n    sendingProjects(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...ProjectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.ProjectRowsDocument,
    "\n  query ProjectTotal($where: SendingProjectWhere) {\n    sendingProjects(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": typeof types.ProjectTotalDocument,
    "\n  subscription ProjectsMoved {\n    sendingProjectProgress {\n      ...ProjectRow\n    }\n  }\n": typeof types.ProjectsMovedDocument,
    "\n  query OneProject(\n    $id: ID!\n    $admin: Boolean!\n    $accounts: Boolean!\n    $files: Boolean!\n    $recipients: Boolean!\n    $senders: Boolean!\n  ) {\n    sendingProject(id: $id) {\n      ...ProjectRow\n      messagesDeletedAt\n      retrySuppressed\n      ...ProjectOwnSettings\n      ...ProjectFiles @include(if: $files)\n      ...ProjectSenders @include(if: $senders)\n      processing {\n        stuck\n        lastProgressAt\n      }\n      failureReasons {\n        code\n        count\n        skipped\n      }\n      variantStatistics {\n        variant\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          replied\n        }\n        rates {\n          delivered\n          read\n          failed\n          replied\n        }\n      }\n      rates {\n        sent\n        delivered\n        read\n        failed\n        replied\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n        currency\n        balance\n      }\n      cost @include(if: $accounts) {\n        currency\n        cost\n        charged\n        refunded\n      }\n      recipients(first: 1) @include(if: $recipients) {\n        totalCount\n      }\n      repeatable {\n        uuid\n        name\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n": typeof types.OneProjectDocument,
    "\n  subscription ProjectMoved($id: ID!) {\n    sendingProjectProgress(id: $id) {\n      ...ProjectRow\n    }\n  }\n": typeof types.ProjectMovedDocument,
    "\n  fragment ProjectSettings on SendingProject {\n    ...ProjectOwnSettings\n    ...ProjectFiles\n    ...ProjectSenders\n  }\n": typeof types.ProjectSettingsFragmentDoc,
    "\n  fragment ProjectFiles on SendingProject {\n    attachments {\n      uuid\n      name\n      size\n      url\n    }\n  }\n": typeof types.ProjectFilesFragmentDoc,
    "\n  fragment ProjectSenders on SendingProject {\n    sourceAccounts {\n      uuid\n      name\n      login\n      status\n    }\n  }\n": typeof types.ProjectSendersFragmentDoc,
    "\n  fragment ProjectOwnSettings on SendingProject {\n    uuid\n    name\n    status\n    channel\n    category\n    accountId\n    accountUuids\n    from\n    sender\n    subject\n    html\n    text\n    startAt\n    startWithinSeconds\n    onMissingVariable\n    stopOnReply\n    variableLabels\n    attachmentUuids\n    audience {\n      topicUuids\n      segmentUuids\n      exceptTopicUuids\n      exceptSegmentUuids\n      exceptProjectUuids\n    }\n    template {\n      name\n      language\n      params\n    }\n    retry {\n      maxAttempts\n      backoffSeconds\n    }\n    variants {\n      text\n      weight\n    }\n    window {\n      timezone\n      days\n      from\n      to\n      recipientTimezone\n    }\n    speed {\n      perMinute\n      perAccountPerMinute\n      jitterSeconds\n    }\n  }\n": typeof types.ProjectOwnSettingsFragmentDoc,
    "\n  mutation StartProject($id: ID!) {\n    startSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n": typeof types.StartProjectDocument,
    "\n  mutation StopProject($id: ID!) {\n    stopSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n": typeof types.StopProjectDocument,
    "\n  mutation RetryProject($id: ID!, $input: RetryProject) {\n    retrySendingProject(id: $id, input: $input) {\n      ...ProjectRow\n    }\n  }\n": typeof types.RetryProjectDocument,
    "\n  mutation DeleteProject($id: ID!) {\n    deleteSendingProject(id: $id)\n  }\n": typeof types.DeleteProjectDocument,
    "\n  mutation DuplicateProject($id: ID!, $input: DuplicateProject!) {\n    duplicateSendingProject(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.DuplicateProjectDocument,
    "\n  mutation StopProjects($ids: [UUID!]!) {\n    stopSendingProjects(input: { uuids: $ids }) {\n      stopped\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n": typeof types.StopProjectsDocument,
    "\n  mutation RetryProjects($ids: [UUID!]!) {\n    retrySendingProjects(input: { uuids: $ids }) {\n      retried\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n": typeof types.RetryProjectsDocument,
    "\n  mutation DeleteProjects($ids: [UUID!]!) {\n    deleteSendingProjects(input: { uuids: $ids }) {\n      deleted\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n": typeof types.DeleteProjectsDocument,
    "\n  query DraftProject($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n      recipientsPending\n      recipientsError\n      recipients(first: 50) {\n        totalCount\n        nodes {\n          uuid\n          address\n          name\n          variables\n        }\n      }\n    }\n  }\n": typeof types.DraftProjectDocument,
    "\n  query ProjectChoices($messengers: Boolean!) {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sourceAccounts(first: 100) {\n      nodes {\n        uuid\n        source\n        name\n        login\n        status\n        messengerAccount @include(if: $messengers) {\n          driver\n        }\n      }\n    }\n    tariff {\n      channels\n      prices\n      maxRecipientsPerProject\n      messagesPerDay\n      messagesPerMinute\n      used {\n        messagesToday\n      }\n    }\n  }\n": typeof types.ProjectChoicesDocument,
    "\n  mutation CreateProject($input: NewSendingProject!) {\n    createSendingProject(input: $input) {\n      ...ProjectSettings\n    }\n  }\n": typeof types.CreateProjectDocument,
    "\n  mutation UpdateProject($id: ID!, $input: SendingProjectPatch!) {\n    updateSendingProject(id: $id, input: $input) {\n      ...ProjectSettings\n    }\n  }\n": typeof types.UpdateProjectDocument,
    "\n  query PreviewList($input: NewImport!) {\n    previewImport(input: $input) {\n      format\n      delimiter\n      encoding\n      header\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n": typeof types.PreviewListDocument,
    "\n  mutation ImportList($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n": typeof types.ImportListDocument,
    "\n  mutation ImportText($input: NewTextImport!) {\n    importRecipientsFromText(input: $input) {\n      uuid\n    }\n  }\n": typeof types.ImportTextDocument,
    "\n  query EarlierImports {\n    recipientImports(first: 20, where: { status: { eq: ready } }) {\n      nodes {\n        uuid\n        fileName\n        valid\n        createdAt\n      }\n    }\n  }\n": typeof types.EarlierImportsDocument,
    "\n  mutation AddList($project: ID!, $list: UUID!) {\n    addRecipients(sendingProjectId: $project, input: { importUuid: $list }) {\n      added\n      duplicates\n      invalidCount\n      invalid {\n        place\n        message\n      }\n      pending\n    }\n  }\n": typeof types.AddListDocument,
    "\n  query PreviewText($input: PreviewMessage!) {\n    previewMessage(input: $input) {\n      subject\n      body\n      html\n      variables\n      missing\n      characters\n      segments\n      encoding\n    }\n  }\n": typeof types.PreviewTextDocument,
    "\n  mutation SendTrial($input: SendTest!) {\n    sendTestMessage(input: $input) {\n      messageId\n      status\n      error {\n        code\n        message\n      }\n    }\n  }\n": typeof types.SendTrialDocument,
    "\n  query Timezones {\n    timezones\n  }\n": typeof types.TimezonesDocument,
    "\n  query ProjectPlan($id: ID!, $changes: PlannedChanges) {\n    sendingProjectPlan(id: $id, changes: $changes) {\n      recipients\n      toSend\n      exact\n      examined\n      skipped {\n        code\n        count\n      }\n      missing {\n        name\n        count\n      }\n      cost {\n        currency\n        price\n        amount\n        atMost\n        byCountry {\n          country\n          messages\n          amount\n        }\n        parts\n      }\n      perMinute\n      limitedBy\n      leftToday\n      beginsAt\n      endsAt\n    }\n  }\n": typeof types.ProjectPlanDocument,
    "\n  query FindRecipients($id: ID!, $text: String!) {\n    recipients(sendingProjectId: $id, first: 5, where: { text: { contains: $text } }) {\n      totalCount\n      nodes {\n        uuid\n        address\n        name\n      }\n    }\n  }\n": typeof types.FindRecipientsDocument,
    "\n  mutation RemoveRecipients($id: ID!, $input: RemoveRecipients!) {\n    removeRecipients(sendingProjectId: $id, input: $input) {\n      removed\n      withMessage\n      more\n    }\n  }\n": typeof types.RemoveRecipientsDocument,
    "\n  mutation WriteTexts($input: GenerateText!) {\n    generateText(input: $input) {\n      texts\n      model\n      usage {\n        totalTokens\n      }\n    }\n  }\n": typeof types.WriteTextsDocument,
    "\n  query EarlierTrials($channel: ProjectChannel!) {\n    trialMessages(first: 5, where: { channel: { eq: $channel } }) {\n      nodes {\n        uuid\n        to\n        deliveryState\n        failureReason\n        createdAt\n      }\n    }\n  }\n": typeof types.EarlierTrialsDocument,
    "\n  query EarlierProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 30, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 20, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": typeof types.EarlierProjectsDocument,
    "\n  query ProjectMailReports($id: ID!) {\n    sendingProject(id: $id) {\n      uuid\n      mailReportCounts {\n        providerClass\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        deferred\n        complaints\n      }\n    }\n  }\n": typeof types.ProjectMailReportsDocument,
    "\n  query ProjectTraffic(\n    $id: ID!\n    $interval: Interval!\n    $from: DateTime\n    $until: DateTime\n    $timezone: String!\n  ) {\n    sendingProject(id: $id) {\n      uuid\n      statistics(interval: $interval, dateFrom: $from, dateTo: $until, timezone: $timezone) {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n  }\n": typeof types.ProjectTrafficDocument,
    "\n  fragment RepeatableRow on RepeatableSendingProject {\n    uuid\n    name\n    status\n    nextRunAt\n    lastRunAt\n    runs\n    lastError\n    createdAt\n    schedule {\n      rrule\n      cron\n      timezone\n      startAt\n      endAt\n      maxRuns\n      misfire\n    }\n  }\n": typeof types.RepeatableRowFragmentDoc,
    "\n  query RepeatableRows($first: Int!, $after: String) {\n    repeatableSendingProjects(first: $first, after: $after) {\n      nodes {\n        ...RepeatableRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.RepeatableRowsDocument,
    "\n  query OneRepeatable($id: ID!, $accounts: Boolean!, $recipients: Boolean!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      nextRuns(count: 8)\n      template {\n        channel\n        subject\n        text\n        variants {\n          text\n          weight\n        }\n      }\n      recipientImport @include(if: $recipients) {\n        uuid\n        fileName\n        valid\n      }\n      sourceProject {\n        uuid\n        name\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n      }\n      sendingProjects(first: 20) {\n        nodes {\n          ...ProjectRow\n        }\n      }\n    }\n  }\n": typeof types.OneRepeatableDocument,
    "\n  mutation StartRepeatable($id: ID!) {\n    startRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n": typeof types.StartRepeatableDocument,
    "\n  mutation StopRepeatable($id: ID!) {\n    stopRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n": typeof types.StopRepeatableDocument,
    "\n  mutation DeleteRepeatable($id: ID!) {\n    deleteRepeatableSendingProject(id: $id)\n  }\n": typeof types.DeleteRepeatableDocument,
    "\n  query ProjectToRepeat($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n    }\n  }\n": typeof types.ProjectToRepeatDocument,
    "\n  mutation CreateRepeatable($input: NewRepeatableProject!) {\n    createRepeatableSendingProject(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateRepeatableDocument,
    "\n  query RepeatableToEdit($id: ID!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      template {\n        channel\n        accountId\n        accountUuids\n        from\n        sender\n        subject\n        html\n        text\n        attachmentUuids\n        onMissingVariable\n        stopOnReply\n        category\n        variants {\n          text\n          weight\n        }\n        template {\n          name\n          language\n          params\n        }\n        window {\n          timezone\n          days\n          from\n          to\n          recipientTimezone\n        }\n        speed {\n          perMinute\n          perAccountPerMinute\n          jitterSeconds\n        }\n        retry {\n          maxAttempts\n          backoffSeconds\n        }\n      }\n    }\n  }\n": typeof types.RepeatableToEditDocument,
    "\n  mutation UpdateRepeatable($id: ID!, $input: RepeatablePatch!) {\n    updateRepeatableSendingProject(id: $id, input: $input) {\n      ...RepeatableRow\n    }\n  }\n": typeof types.UpdateRepeatableDocument,
    "\n  query ConfiguredRoutes {\n    systemRoutes {\n      name\n      channel\n      driver\n      label\n      state\n      since\n      probeAt\n      enabled\n      ignoresReceipts\n      made\n    }\n  }\n": typeof types.ConfiguredRoutesDocument,
    "\n  query RouteReceipts {\n    routeQuality {\n      route\n      prefix\n      sent\n      delivered\n      sentBefore\n      deliveredBefore\n      degradedSince\n      retryAt\n    }\n  }\n": typeof types.RouteReceiptsDocument,
    "\n  mutation CreateRoute($input: NewSystemRoute!) {\n    createSystemRoute(input: $input) {\n      name\n    }\n  }\n": typeof types.CreateRouteDocument,
    "\n  mutation DeleteRoute($name: String!) {\n    deleteSystemRoute(name: $name)\n  }\n": typeof types.DeleteRouteDocument,
    "\n  mutation SwitchRoute($name: String!, $enabled: Boolean!) {\n    setSystemRoute(name: $name, input: { enabled: $enabled }) {\n      name\n      enabled\n    }\n  }\n": typeof types.SwitchRouteDocument,
    "\n  mutation IgnoreReceipts($name: String!, $ignoresReceipts: Boolean!) {\n    setSystemRoute(name: $name, input: { ignoresReceipts: $ignoresReceipts }) {\n      name\n      ignoresReceipts\n    }\n  }\n": typeof types.IgnoreReceiptsDocument,
    "\n  query RouteRulePage($first: Int!, $after: String, $where: RouteRuleWhere) {\n    routeRules(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        prefix\n        country\n        route\n        category\n        priority\n        weight\n        fallback\n        owner {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.RouteRulePageDocument,
    "\n  mutation CreateRouteRule($input: RouteRuleInput!) {\n    createRouteRule(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreateRouteRuleDocument,
    "\n  mutation UpdateRouteRule($id: ID!, $input: RouteRuleInput!) {\n    updateRouteRule(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpdateRouteRuleDocument,
    "\n  mutation DeleteRouteRule($id: ID!) {\n    deleteRouteRule(id: $id)\n  }\n": typeof types.DeleteRouteRuleDocument,
    "\n  query RouteUsers($where: UserWhere!) {\n    users(first: 20, where: $where) {\n      nodes {\n        uuid\n        email\n      }\n    }\n  }\n": typeof types.RouteUsersDocument,
    "\n  query RouteFor($input: TraceRoute!) {\n    routeFor(input: $input) {\n      to\n      country\n      candidates {\n        route\n        use\n        state\n        why\n      }\n      waits {\n        message\n      }\n      sender\n      senderWhy\n      price\n      currency\n      pricePrefix\n      refusal {\n        code\n        message\n      }\n    }\n  }\n": typeof types.RouteForDocument,
    "\n  query SenderIdPage($first: Int!, $after: String, $where: SenderWhere, $admin: Boolean!) {\n    senders(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        kind\n        value\n        countries\n        state\n        reason\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.SenderIdPageDocument,
    "\n  query SameSenders($value: String!) {\n    senders(first: 20, where: { value: { eq: $value }, channel: { eq: sms } }) {\n      nodes {\n        uuid\n        value\n        state\n        owner {\n          uuid\n          email\n        }\n      }\n    }\n  }\n": typeof types.SameSendersDocument,
    "\n  mutation RequestSender($input: NewSender!) {\n    requestSender(input: $input) {\n      value\n      state\n    }\n  }\n": typeof types.RequestSenderDocument,
    "\n  mutation UpdateSender($id: ID!, $input: SenderPatch!) {\n    updateSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n": typeof types.UpdateSenderDocument,
    "\n  mutation DecideSender($id: ID!, $input: SenderDecision!) {\n    decideSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n": typeof types.DecideSenderDocument,
    "\n  mutation DeleteSenderId($id: ID!) {\n    deleteSender(id: $id)\n  }\n": typeof types.DeleteSenderIdDocument,
    "\n  query SenderPage(\n    $first: Int!\n    $after: String\n    $where: SourceAccountWhere\n    $admin: Boolean!\n    $messengers: Boolean!\n  ) {\n    sourceAccounts(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        status\n        tokenHint\n        createdAt\n        messengerAccount @include(if: $messengers) {\n          uuid\n          name\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.SenderPageDocument,
    "\n  query PossibleSenders($where: MessengerAccountWhere!) {\n    messengerAccounts(first: 100, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        sourceAccounts(first: 1) {\n          nodes {\n            uuid\n          }\n        }\n      }\n    }\n  }\n": typeof types.PossibleSendersDocument,
    "\n  mutation CreateSender($input: NewSourceAccount!) {\n    createSourceAccount(input: $input) {\n      uuid\n      name\n    }\n  }\n": typeof types.CreateSenderDocument,
    "\n  mutation DeleteSender($id: ID!) {\n    deleteSourceAccount(id: $id)\n  }\n": typeof types.DeleteSenderDocument,
    "\n  query AllSettings($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n    me {\n      uuid\n      accounts(first: 100) {\n        nodes {\n          uuid\n          name\n        }\n      }\n    }\n  }\n": typeof types.AllSettingsDocument,
    "\n  query OneSetting($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n  }\n": typeof types.OneSettingDocument,
    "\n  mutation SetSetting($input: SetSetting!) {\n    setSetting(input: $input) {\n      key\n      value\n    }\n  }\n": typeof types.SetSettingDocument,
    "\n  mutation DeleteSetting($input: DeleteSetting!) {\n    deleteSetting(input: $input)\n  }\n": typeof types.DeleteSettingDocument,
    "\n  query StoredValues($first: Int!, $after: String, $where: StorageValueWhere) {\n    storageValues(first: $first, after: $after, where: $where) {\n      nodes {\n        key\n        value\n        ttlSeconds\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.StoredValuesDocument,
    "\n  query StoredValue($key: String!) {\n    storageValue(key: $key) {\n      key\n      value\n      ttlSeconds\n    }\n  }\n": typeof types.StoredValueDocument,
    "\n  mutation PutStoredValue($input: PutStorageValue!) {\n    putStorageValue(input: $input) {\n      key\n    }\n  }\n": typeof types.PutStoredValueDocument,
    "\n  mutation DeleteStoredValue($key: String!) {\n    deleteStorageValue(key: $key)\n  }\n": typeof types.DeleteStoredValueDocument,
    "\n  query DoctorReport($fresh: Boolean!) {\n    doctor(fresh: $fresh) {\n      version\n      python\n      embedded\n      examinedAt\n      leftOut\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n": typeof types.DoctorReportDocument,
    "\n  query Sending {\n    systemRoutes {\n      name\n      driver\n      label\n      state\n      since\n      probeAt\n      concurrency\n      totalConcurrency\n      enabled\n    }\n    queueStatistics {\n      background {\n        kind\n        waiting\n        atWork\n        users\n      }\n    }\n    processingHealth {\n      status\n      projects {\n        uuid\n        status\n        stuck\n        lastProgressAt\n        workers\n        project {\n          uuid\n          name\n        }\n      }\n    }\n  }\n": typeof types.SendingDocument,
    "\n  query AllowlistInUse {\n    ipAllowlist {\n      mode\n      file\n      entries\n      networks\n      everyone\n      loadedAt\n      error\n      yourAddress\n      yourReason\n    }\n  }\n": typeof types.AllowlistInUseDocument,
    "\n  query AllowlistLines {\n    ipAllowlistLines {\n      at\n      address\n      method\n      path\n      reason\n      blocked\n      listed\n    }\n  }\n": typeof types.AllowlistLinesDocument,
    "\n  query ParseMailReport($input: ParseMailReport!) {\n    parseMailReport(input: $input) {\n      ignored\n      token\n      ours\n      message {\n        messageUuid\n        to\n        state\n      }\n      recipients {\n        type\n        bounceClass\n        address\n        status\n        code\n        diagnostic\n      }\n      effect {\n        outcome\n        failureCode\n        block\n      }\n    }\n  }\n": typeof types.ParseMailReportDocument,
    "\n  fragment TariffFields on Tariff {\n    code\n    name\n    public\n    maxConcurrentProjects\n    maxRecipientsPerProject\n    messagesPerDay\n    messagesPerMinute\n    channels\n    prices\n    priceListId\n  }\n": typeof types.TariffFieldsFragmentDoc,
    "\n  query OwnTariff {\n    tariff {\n      code\n      name\n      maxConcurrentProjects\n      messagesPerDay\n      used {\n        concurrentProjects\n        messagesToday\n        resetsAt\n      }\n    }\n  }\n": typeof types.OwnTariffDocument,
    "\n  query TariffPage($first: Int!, $after: String) {\n    tariffs(first: $first, after: $after) {\n      nodes {\n        ...TariffFields\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.TariffPageDocument,
    "\n  query OneTariff($code: String!) {\n    tariffs(where: { code: { eq: $code } }) {\n      nodes {\n        ...TariffFields\n      }\n    }\n    tariff {\n      code\n    }\n  }\n": typeof types.OneTariffDocument,
    "\n  query TariffUsers($code: String!) {\n    users(first: 1, where: { tariffCode: { eq: $code } }) {\n      totalCount\n    }\n  }\n": typeof types.TariffUsersDocument,
    "\n  mutation SaveTariff($input: SetTariff!) {\n    setTariff(input: $input) {\n      code\n    }\n  }\n": typeof types.SaveTariffDocument,
    "\n  fragment PriceListRow on PriceList {\n    uuid\n    name\n    currency\n    strict\n    current {\n      number\n      size\n      validFrom\n    }\n  }\n": typeof types.PriceListRowFragmentDoc,
    "\n  query PriceListPage($first: Int!, $after: String) {\n    priceLists(first: $first, after: $after) {\n      nodes {\n        ...PriceListRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.PriceListPageDocument,
    "\n  query OnePriceList($id: ID!) {\n    priceList(id: $id) {\n      ...PriceListRow\n      versions(first: 50) {\n        nodes {\n          number\n          size\n          validFrom\n        }\n      }\n    }\n  }\n": typeof types.OnePriceListDocument,
    "\n  query PricesOfList($id: ID!, $begins: String!, $version: Int, $first: Int!) {\n    prices(listId: $id, begins: $begins, version: $version, first: $first) {\n      nodes {\n        channel\n        prefix\n        country\n        price\n        cost\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n": typeof types.PricesOfListDocument,
    "\n  mutation CreatePriceList($input: NewPriceList!) {\n    createPriceList(input: $input) {\n      uuid\n    }\n  }\n": typeof types.CreatePriceListDocument,
    "\n  mutation UpdatePriceList($id: ID!, $input: PriceListPatch!) {\n    updatePriceList(id: $id, input: $input) {\n      uuid\n    }\n  }\n": typeof types.UpdatePriceListDocument,
    "\n  mutation DeletePriceList($id: ID!) {\n    deletePriceList(id: $id)\n  }\n": typeof types.DeletePriceListDocument,
    "\n  mutation AddPriceListVersion($id: ID!, $input: NewPriceListVersion!) {\n    addPriceListVersion(id: $id, input: $input) {\n      number\n      size\n      validFrom\n    }\n  }\n": typeof types.AddPriceListVersionDocument,
    "\n  mutation DeletePriceListVersion($id: ID!, $number: Int!) {\n    deletePriceListVersion(id: $id, number: $number)\n  }\n": typeof types.DeletePriceListVersionDocument,
    "\n  fragment UserRow on User {\n    uuid\n    email\n    displayName\n    status\n    roles\n    createdAt\n  }\n": typeof types.UserRowFragmentDoc,
    "\n  query UserPage($first: Int!, $after: String, $where: UserWhere, $count: Boolean!) {\n    users(first: $first, after: $after, where: $where) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n": typeof types.UserPageDocument,
    "\n  query OneUser($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n      tariff {\n        code\n        name\n      }\n      accounts(first: 20) {\n        nodes {\n          uuid\n          name\n          balance\n          currency\n          lowBalance\n        }\n        totalCount\n      }\n    }\n  }\n": typeof types.OneUserDocument,
    "\n  query TariffChoices {\n    tariffs(first: 100) {\n      nodes {\n        code\n        name\n      }\n    }\n  }\n": typeof types.TariffChoicesDocument,
    "\n  mutation Invite($input: Invite!) {\n    inviteUser(input: $input) {\n      userId\n      token\n      expiresAt\n    }\n  }\n": typeof types.InviteDocument,
    "\n  mutation MakeUser($input: NewUser!) {\n    createUser(input: $input) {\n      uuid\n    }\n  }\n": typeof types.MakeUserDocument,
    "\n  mutation ChangeUser($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      ...UserRow\n    }\n  }\n": typeof types.ChangeUserDocument,
    "\n  mutation Suspend($id: ID!) {\n    suspendUser(id: $id) {\n      ...UserRow\n    }\n  }\n": typeof types.SuspendDocument,
    "\n  mutation Activate($id: ID!) {\n    activateUser(id: $id) {\n      ...UserRow\n    }\n  }\n": typeof types.ActivateDocument,
    "\n  mutation DeleteUser($id: ID!) {\n    deleteUser(id: $id)\n  }\n": typeof types.DeleteUserDocument,
    "\n  mutation GiveTariff($code: String!, $user: UUID!) {\n    setTariff(input: { code: $code, userUuid: $user }) {\n      code\n      name\n    }\n  }\n": typeof types.GiveTariffDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitation!) {\n    acceptInvitation(input: $input) {\n      accessToken\n    }\n  }\n": typeof types.AcceptInvitationDocument,
    "\n  mutation CreateFirstUser($input: FirstUser!) {\n    createFirstUser(input: $input) {\n      accessToken\n    }\n  }\n": typeof types.CreateFirstUserDocument,
    "\n  mutation RequestPasswordReset($input: PasswordResetRequest!) {\n    requestPasswordReset(input: $input)\n  }\n": typeof types.RequestPasswordResetDocument,
    "\n  mutation ResetPassword($input: NewPassword!) {\n    resetPassword(input: $input)\n  }\n": typeof types.ResetPasswordDocument,
    "\n  query InvitedUser {\n    me {\n      email\n      uuid\n    }\n  }\n": typeof types.InvitedUserDocument,
    "\n  mutation EndInvitedLogin {\n    logout\n  }\n": typeof types.EndInvitedLoginDocument,
    "\n  fragment AuditRow on AuditEntry {\n    uuid\n    createdAt\n    ownerId\n    actorId\n    actorEmail\n    actorKind\n    actor @include(if: $actors) {\n      email\n    }\n    tokenId\n    operation\n    objectType\n    objectId\n    result\n    code\n    ip\n    changes\n  }\n": typeof types.AuditRowFragmentDoc,
    "\n  query AuditPage($first: Int!, $after: String, $where: AuditEntryWhere, $actors: Boolean!) {\n    auditEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.AuditPageDocument,
    "\n  query Actors {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        uuid\n        userUuid\n        email\n      }\n    }\n  }\n": typeof types.ActorsDocument,
    "\n  mutation UploadList($file: Upload!) {\n    uploadFile(file: $file) {\n      uuid\n      name\n      size\n    }\n  }\n": typeof types.UploadListDocument,
    "\n  query ExportFiles($where: ExportLinkWhere!, $first: Int!) {\n    exportLinks(first: $first, where: $where) {\n      nodes {\n        uuid\n        source\n        status\n        statusReason\n        format\n        total\n        done\n        url\n        createdAt\n      }\n    }\n  }\n": typeof types.ExportFilesDocument,
    "\n  mutation StartExport($input: StartExport!) {\n    startExport(input: $input) {\n      uuid\n      status\n    }\n  }\n": typeof types.StartExportDocument,
    "\n  mutation CancelExport($id: ID!) {\n    cancelExport(id: $id) {\n      uuid\n      status\n    }\n  }\n": typeof types.CancelExportDocument,
    "\n  query ExportColumns($source: String!) {\n    exportVariables(source: $source) {\n      name\n      label\n      example\n    }\n  }\n": typeof types.ExportColumnsDocument,
    "\n  query OneImport($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      fileName\n      total\n      valid\n      invalid\n      duplicates\n      contacts {\n        created\n        changed\n        unchanged\n        subscribed\n        suppressed\n      }\n    }\n  }\n": typeof types.OneImportDocument,
    "\n  query BadRows($id: ID!, $first: Int!, $after: String) {\n    recipientImport(id: $id) {\n      uuid\n      rows(first: $first, after: $after, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            code\n            message\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.BadRowsDocument,
    "\n  query Countries($language: String) {\n    countries(language: $language) {\n      code\n      name\n      dialCode\n    }\n  }\n": typeof types.CountriesDocument,
    "\n  query SendingChannels {\n    sendingChannels {\n      channel\n      sandbox\n      setting\n    }\n  }\n": typeof types.SendingChannelsDocument,
    "\n  query Permissions {\n    permissions {\n      name\n      description\n      presets\n      granted\n    }\n  }\n": typeof types.PermissionsDocument,
    "\n  query SegmentChoices($where: SegmentWhere) {\n    newest: segments(first: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    oldest: segments(last: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": typeof types.SegmentChoicesDocument,
    "\n  query SenderDomains($where: DomainWhere!, $senders: SenderWhere!) {\n    domains(first: 100, where: $where) {\n      nodes {\n        name\n        status\n      }\n    }\n    senders(first: 100, where: $senders) {\n      nodes {\n        value\n      }\n    }\n  }\n": typeof types.SenderDomainsDocument,
    "\n  query ApprovedSenders($where: SenderWhere!) {\n    senders(first: 100, where: $where) {\n      nodes {\n        value\n      }\n    }\n  }\n": typeof types.ApprovedSendersDocument,
    "\n  query SenderChoice($to: String!, $sender: String) {\n    senderChoice(to: $to, sender: $sender) {\n      sender\n      kind\n      country\n      why\n    }\n  }\n": typeof types.SenderChoiceDocument,
    "\n  mutation VerifySecondFactor($input: SecondFactorCode!) {\n    verifySecondFactor(input: $input) {\n      freshUntil\n    }\n  }\n": typeof types.VerifySecondFactorDocument,
    "\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n": typeof types.LogoutEverywhereDocument,
    "\n  fragment TopicRow on Topic {\n    uuid\n    key\n    name\n    description\n    category\n    optIn\n    public\n    position\n    translations {\n      locale\n      name\n      description\n    }\n  }\n": typeof types.TopicRowFragmentDoc,
    "\n  query Topics($where: TopicWhere) {\n    topics(first: 100, where: $where, orderBy: { direction: asc }) {\n      nodes {\n        ...TopicRow\n      }\n    }\n  }\n": typeof types.TopicsDocument,
    "\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n": typeof types.QueueDocument,
    "\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n": typeof types.QueueChangedDocument,
    "\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n": typeof types.QueueFieldsFragmentDoc,
    "\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n    memberships {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n": typeof types.ViewerDocument,
};
const documents: Documents = {
    "\n  fragment AccountRow on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n    createdAt\n  }\n": types.AccountRowFragmentDoc,
    "\n  query AccountPage($first: Int!, $after: String, $where: AccountWhere, $count: Boolean!, $admin: Boolean!) {\n    accounts(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AccountRow\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n": types.AccountPageDocument,
    "\n  query OwnerOf($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n": types.OwnerOfDocument,
    "\n  query OneAccount($id: ID!, $admin: Boolean!) {\n    account(id: $id) {\n      ...AccountRow\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n": types.OneAccountDocument,
    "\n  query LedgerPage(\n    $id: ID!\n    $first: Int!\n    $after: String\n    $where: LedgerWhere\n    $admin: Boolean!\n    $messages: Boolean!\n    $projects: Boolean!\n  ) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: $where) {\n        nodes {\n          uuid\n          kind\n          amount\n          note\n          entryCount\n          createdAt\n          projectId\n          projectCost {\n            cost\n            charged\n            refunded\n            entries\n          }\n          message @include(if: $messages) {\n            uuid\n            to\n            channel\n          }\n          sendingProject @include(if: $projects) {\n            uuid\n            name\n          }\n          creator @include(if: $admin) {\n            uuid\n            email\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.LedgerPageDocument,
    "\n  query ProjectEntries($id: ID!, $project: String!, $first: Int!, $after: String) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: { projectId: { eq: $project } }) {\n        nodes {\n          uuid\n          kind\n          amount\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ProjectEntriesDocument,
    "\n  subscription AccountMoved($id: ID!) {\n    messageStatusChanged(accountId: $id) {\n      uuid\n    }\n  }\n": types.AccountMovedDocument,
    "\n  mutation OpenAccount($input: NewAccount!) {\n    createAccount(input: $input) {\n      uuid\n    }\n  }\n": types.OpenAccountDocument,
    "\n  mutation ChangeAccount($id: ID!, $input: AccountPatch!) {\n    updateAccount(id: $id, input: $input) {\n      ...AccountRow\n    }\n  }\n": types.ChangeAccountDocument,
    "\n  mutation SetLowBalance($id: ID!, $below: Decimal) {\n    setLowBalance(id: $id, below: $below) {\n      ...AccountRow\n    }\n  }\n": types.SetLowBalanceDocument,
    "\n  mutation CreditAccount($input: Credit!) {\n    creditAccount(input: $input) {\n      ...AccountRow\n    }\n  }\n": types.CreditAccountDocument,
    "\n  query Currencies($language: String!) {\n    currencies(language: $language) {\n      code\n      name\n    }\n  }\n": types.CurrenciesDocument,
    "\n  query BlockPage($first: Int!, $after: String, $where: BlockedPhoneWhere) {\n    blockedPhones(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        phone\n        reason\n        scope\n        expiresAt\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.BlockPageDocument,
    "\n  query BlockGroups {\n    blockedPhoneSummary {\n      items {\n        reason\n        scope\n        count\n        newestAt\n      }\n    }\n  }\n": types.BlockGroupsDocument,
    "\n  mutation Block($phone: String!, $input: BlockPhone) {\n    blockPhone(phone: $phone, input: $input) {\n      uuid\n      phone\n      reason\n      scope\n      expiresAt\n      createdAt\n    }\n  }\n": types.BlockDocument,
    "\n  mutation BlockPhones($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      nextLine\n      invalid {\n        place\n        message\n      }\n    }\n  }\n": types.BlockPhonesDocument,
    "\n  mutation UnblockPhones($input: UnblockMany!) {\n    unblockPhones(input: $input) {\n      removed\n    }\n  }\n": types.UnblockPhonesDocument,
    "\n  mutation ReadBlockFile($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n": types.ReadBlockFileDocument,
    "\n  query BlockFile($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      total\n      valid\n      invalid\n      rows(first: 5, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            message\n          }\n        }\n      }\n    }\n  }\n": types.BlockFileDocument,
    "\n  mutation ForgetBlockFile($id: ID!, $file: ID!) {\n    deleteRecipientImport(id: $id)\n    deleteFile(id: $file)\n  }\n": types.ForgetBlockFileDocument,
    "\n  query ContactSubscriptions($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ContactSubscriptionsDocument,
    "\n  query ConsentHistory($first: Int!, $after: String, $where: ConsentEntryWhere) {\n    consentEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        action\n        source\n        text\n        evidence\n        ip\n        userAgent\n        createdAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ConsentHistoryDocument,
    "\n  mutation SubscribeContacts($input: SubscribeContacts!) {\n    subscribeContacts(input: $input) {\n      active\n      pending\n      unchanged\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n": types.SubscribeContactsDocument,
    "\n  mutation UnsubscribeContacts($input: UnsubscribeContacts!) {\n    unsubscribeContacts(input: $input) {\n      withdrawn\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n": types.UnsubscribeContactsDocument,
    "\n  query ContactPage($first: Int!, $after: String, $where: ContactWhere, $orderBy: ContactOrder) {\n    contacts(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        externalId\n        addresses {\n          channel\n          address\n        }\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.ContactPageDocument,
    "\n  query ContactFields {\n    contactFields(first: 100, orderBy: { direction: asc }) {\n      nodes {\n        uuid\n        key\n        type\n        label\n      }\n    }\n  }\n": types.ContactFieldsDocument,
    "\n  query OneContact($id: ID!) {\n    contact(id: $id) {\n      uuid\n      name\n      externalId\n      locale\n      timezone\n      fields\n      addresses {\n        channel\n        address\n        primary\n        verifiedAt\n      }\n      createdAt\n      updatedAt\n    }\n  }\n": types.OneContactDocument,
    "\n  query ContactTimeline($id: ID!, $first: Int!, $after: String) {\n    contactTimeline(contactId: $id, first: $first, after: $after) {\n      nodes {\n        uuid: objectUuid\n        kind\n        at\n        channel\n        address\n        direction\n        status\n        text\n        projectUuid\n        accountUuid\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ContactTimelineDocument,
    "\n  query FindContact($address: String!) {\n    contacts(first: 1, where: { address: { eq: $address } }) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": types.FindContactDocument,
    "\n  mutation UpsertContact($input: UpsertContact!) {\n    upsertContact(input: $input) {\n      uuid\n    }\n  }\n": types.UpsertContactDocument,
    "\n  mutation UpdateContact($id: ID!, $input: ContactPatch!) {\n    updateContact(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.UpdateContactDocument,
    "\n  mutation MergeContacts($id: ID!, $input: MergeContact!) {\n    mergeContacts(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.MergeContactsDocument,
    "\n  mutation DeleteContact($id: ID!) {\n    deleteContact(id: $id)\n  }\n": types.DeleteContactDocument,
    "\n  mutation CreateContactField($input: NewContactField!) {\n    createContactField(input: $input) {\n      uuid\n    }\n  }\n": types.CreateContactFieldDocument,
    "\n  query Erasures($first: Int!, $after: String, $where: ErasureWhere) {\n    erasures(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        state\n        stateReason\n        contactId\n        requestedBy\n        counts\n        createdAt\n        finishedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.ErasuresDocument,
    "\n  query OneErasure($id: ID!) {\n    erasure(id: $id) {\n      uuid\n      deleted {\n        subjectId\n        name\n      }\n      notErased {\n        kind\n        reason\n      }\n    }\n  }\n": types.OneErasureDocument,
    "\n  mutation ErasePerson($input: ErasePerson!) {\n    erasePerson(input: $input) {\n      uuid\n    }\n  }\n": types.ErasePersonDocument,
    "\n  fragment SignupFormRow on SignupForm {\n    uuid\n    name\n    topicUuids\n    text\n    from\n    redirectUrl\n    enabled\n  }\n": types.SignupFormRowFragmentDoc,
    "\n  query SignupForms($where: SignupFormWhere) {\n    signupForms(first: 100, where: $where) {\n      nodes {\n        ...SignupFormRow\n      }\n    }\n  }\n": types.SignupFormsDocument,
    "\n  mutation CreateSignupForm($input: NewSignupForm!) {\n    createSignupForm(input: $input) {\n      uuid\n    }\n  }\n": types.CreateSignupFormDocument,
    "\n  mutation UpdateSignupForm($id: ID!, $input: SignupFormPatch!) {\n    updateSignupForm(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.UpdateSignupFormDocument,
    "\n  mutation DeleteSignupForm($id: ID!) {\n    deleteSignupForm(id: $id)\n  }\n": types.DeleteSignupFormDocument,
    "\n  query PreviewContacts($input: NewContactImport!) {\n    previewContactImport(input: $input) {\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n": types.PreviewContactsDocument,
    "\n  mutation ImportContacts($input: NewContactImport!) {\n    importContacts(input: $input) {\n      uuid\n    }\n  }\n": types.ImportContactsDocument,
    "\n  fragment SegmentRow on Segment {\n    uuid\n    name\n    filter\n    size\n    countedAt\n  }\n": types.SegmentRowFragmentDoc,
    "\n  query SegmentPage($first: Int!, $after: String, $where: SegmentWhere) {\n    segments(first: $first, after: $after, where: $where) {\n      nodes {\n        ...SegmentRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.SegmentPageDocument,
    "\n  query TrySegment($input: PreviewSegment!) {\n    segmentPreview(input: $input) {\n      size\n      sample {\n        uuid\n        name\n        addresses {\n          address\n        }\n      }\n    }\n  }\n": types.TrySegmentDocument,
    "\n  query SegmentProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 50, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 100, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": types.SegmentProjectsDocument,
    "\n  mutation CreateSegment($input: NewSegment!) {\n    createSegment(input: $input) {\n      uuid\n    }\n  }\n": types.CreateSegmentDocument,
    "\n  mutation UpdateSegment($id: ID!, $input: SegmentPatch!) {\n    updateSegment(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.UpdateSegmentDocument,
    "\n  mutation CountSegment($id: ID!) {\n    countSegment(id: $id) {\n      ...SegmentRow\n    }\n  }\n": types.CountSegmentDocument,
    "\n  mutation DeleteSegment($id: ID!) {\n    deleteSegment(id: $id)\n  }\n": types.DeleteSegmentDocument,
    "\n  query OneTopic($id: ID!) {\n    topic(id: $id) {\n      ...TopicRow\n    }\n  }\n": types.OneTopicDocument,
    "\n  mutation CreateTopic($input: NewTopic!) {\n    createTopic(input: $input) {\n      uuid\n    }\n  }\n": types.CreateTopicDocument,
    "\n  mutation UpdateTopic($id: ID!, $input: TopicPatch!) {\n    updateTopic(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.UpdateTopicDocument,
    "\n  mutation DeleteTopic($id: ID!) {\n    deleteTopic(id: $id)\n  }\n": types.DeleteTopicDocument,
    "\n  query Subscribers($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        contact {\n          uuid\n          name\n          externalId\n          addresses {\n            channel\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.SubscribersDocument,
    "\n  query PreferencesPreview($locale: String) {\n    preferencesPreview(locale: $locale) {\n      html\n      languages\n    }\n    me {\n      uuid\n      selfService\n    }\n  }\n": types.PreferencesPreviewDocument,
    "\n  mutation SaveSelfService($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      selfService\n    }\n  }\n": types.SaveSelfServiceDocument,
    "\n  fragment CountryRuleFields on CountryRule {\n    allow\n    deny\n    perHour\n    perDay\n  }\n": types.CountryRuleFieldsFragmentDoc,
    "\n  query CountryRulesPage($user: ID) {\n    countryRules(userUuid: $user) {\n      installation {\n        ...CountryRuleFields\n      }\n      own {\n        ...CountryRuleFields\n      }\n      effective {\n        ...CountryRuleFields\n      }\n      limited {\n        ownerUuid\n        country\n        cap\n        until\n        createdAt\n      }\n    }\n  }\n": types.CountryRulesPageDocument,
    "\n  query CountryUser($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n": types.CountryUserDocument,
    "\n  mutation SaveCountryRules($input: SetCountryRules!) {\n    setCountryRules(input: $input) {\n      own {\n        ...CountryRuleFields\n      }\n    }\n  }\n": types.SaveCountryRulesDocument,
    "\n  query CheckCountry($to: String!, $user: ID) {\n    checkCountry(to: $to, userUuid: $user) {\n      to\n      country\n      allowed\n      refusedBy\n      leftThisHour\n      leftToday\n    }\n  }\n": types.CheckCountryDocument,
    "\n  query DeliverabilityByProvider($from: DateTime!) {\n    deliverability(dateFrom: $from) {\n      degraded {\n        providerClass\n        accepted\n        policy\n        complaints\n        createdAt\n      }\n      items {\n        providerClass\n        accepted\n        deferred\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        complaints\n        rescued\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n    deliverabilityByProject(dateFrom: $from) {\n      items {\n        sendingProjectUuid\n        name\n        from\n        accepted\n        bounced\n        complaints\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n  }\n": types.DeliverabilityByProviderDocument,
    "\n  query FeedState {\n    eventFeed {\n      recording\n      recordingSince\n      count\n      limit\n      nearlyFull\n      retentionDays\n      oldest\n      newest\n    }\n    eventTypes {\n      type\n      subject\n      data\n      when\n    }\n  }\n": types.FeedStateDocument,
    "\n  subscription WatchEvents($after: String, $types: [String!]) {\n    events(after: $after, types: $types) {\n      uuid\n      cursor\n      type\n      at\n      subject\n      subjectId\n      sendingProjectUuid\n      accountId\n      data\n    }\n  }\n": types.WatchEventsDocument,
    "\n  mutation EnableEvents {\n    enableEvents {\n      recording\n    }\n  }\n": types.EnableEventsDocument,
    "\n  mutation DisableEvents {\n    disableEvents\n  }\n": types.DisableEventsDocument,
    "\n  query HookSecrets($first: Int!, $where: HookSecretWhere) {\n    hookSecrets(first: $first, where: $where) {\n      nodes {\n        uuid\n        kind\n        hint\n        createdAt\n        createdBy\n        lastUsedAt\n        revokedAt\n      }\n    }\n  }\n": types.HookSecretsDocument,
    "\n  mutation RotateHookSecret {\n    rotateHookSecret {\n      secret\n    }\n  }\n": types.RotateHookSecretDocument,
    "\n  mutation CreateHookKey {\n    createHookKey {\n      secret\n    }\n  }\n": types.CreateHookKeyDocument,
    "\n  mutation RevokeHookSecret($id: ID!) {\n    revokeHookSecret(id: $id) {\n      uuid\n    }\n  }\n": types.RevokeHookSecretDocument,
    "\n  query HookMakers {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        userUuid\n        email\n      }\n    }\n  }\n": types.HookMakersDocument,
    "\n  query ProviderRoutes {\n    queueStatistics {\n      routes {\n        name\n      }\n    }\n  }\n": types.ProviderRoutesDocument,
    "\n  fragment TokenRow on ApiToken {\n    uuid\n    name\n    hint\n    createdAt\n    expiresAt\n    revokedAt\n    scopes\n    networks\n    accountIds\n    spendPerDay\n    lastUsedAt\n    lastUsedIp\n    lastRefusedAt\n    lastRefusal\n  }\n": types.TokenRowFragmentDoc,
    "\n  query PayingAccounts {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n": types.PayingAccountsDocument,
    "\n  query Tokens($first: Int!, $after: String, $where: ApiTokenWhere) {\n    apiTokens(first: $first, after: $after, where: $where) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.TokensDocument,
    "\n  mutation CreateToken($input: NewApiToken!) {\n    createApiToken(input: $input) {\n      token\n      apiToken {\n        uuid\n        name\n      }\n    }\n  }\n": types.CreateTokenDocument,
    "\n  mutation ChangeToken($id: ID!, $input: ApiTokenPatch!) {\n    updateApiToken(id: $id, input: $input) {\n      uuid\n      name\n    }\n  }\n": types.ChangeTokenDocument,
    "\n  mutation RevokeToken($id: ID!, $keepWebhooks: Boolean!) {\n    revokeApiToken(id: $id, keepWebhooks: $keepWebhooks) {\n      uuid\n    }\n  }\n": types.RevokeTokenDocument,
    "\n  query Hooks($first: Int!, $ofFeed: Boolean!, $ofAccounts: Boolean!) {\n    webhooks(first: $first) @include(if: $ofFeed) {\n      nodes {\n        ...Hook\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messengerAccounts(first: $first) @include(if: $ofAccounts) {\n      nodes {\n        uuid\n        webhooks(first: 10) {\n          nodes {\n            ...Hook\n          }\n          pageInfo {\n            hasNextPage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n  fragment Hook on Webhook {\n    uuid\n    url\n    enabled\n    disabledReason\n    failures\n    nextAt\n    lastError\n    lastStatus\n    deliveredAt\n    query\n    batch\n    sendingProjectUuid\n    payingAccountId\n    messengerAccountUuid\n    missed\n    createdAt\n    events\n    types\n    replaying\n    waiting\n    dead\n    account {\n      uuid\n      source\n      login\n      name\n    }\n  }\n": types.HooksDocument,
    "\n  query OneHook($id: ID!) {\n    webhook(id: $id) {\n      ...Hook\n    }\n  }\n": types.OneHookDocument,
    "\n  query HookChoices($projects: Boolean!, $accounts: Boolean!, $messengers: Boolean!) {\n    eventTypes {\n      type\n    }\n    sendingProjects(first: 50) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n    messengerAccounts(first: 50) @include(if: $messengers) {\n      nodes {\n        uuid\n        source\n        login\n        name\n      }\n    }\n  }\n": types.HookChoicesDocument,
    "\n  mutation CreateHook($input: NewEventWebhook!) {\n    createWebhook(input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n": types.CreateHookDocument,
    "\n  mutation AddHook($account: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $account, input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n": types.AddHookDocument,
    "\n  mutation ChangeHook($id: ID!, $input: WebhookPatch!) {\n    updateWebhook(id: $id, input: $input) {\n      ...Hook\n    }\n  }\n": types.ChangeHookDocument,
    "\n  mutation DeleteHook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n": types.DeleteHookDocument,
    "\n  mutation TestHook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      answer\n      seconds\n      body\n    }\n  }\n": types.TestHookDocument,
    "\n  mutation RotateHookSigning($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": types.RotateHookSigningDocument,
    "\n  mutation ReplayHook($id: ID!, $input: WebhookReplay!) {\n    replayWebhook(id: $id, input: $input)\n  }\n": types.ReplayHookDocument,
    "\n  mutation ReplayDead($id: ID!, $letters: [ID!]) {\n    replayDeadLetters(webhookId: $id, ids: $letters)\n  }\n": types.ReplayDeadDocument,
    "\n  query PreviewHook($input: WebhookPreview!) {\n    previewWebhook(input: $input) {\n      eventId\n      type\n      body\n      bytes\n      cost\n    }\n  }\n": types.PreviewHookDocument,
    "\n  query HookDeliveries($id: ID!, $first: Int!, $after: String, $where: WebhookDeliveryWhere) {\n    webhookDeliveries(webhookId: $id, first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        type\n        state\n        attempts\n        nextAt\n        lastError\n        lastStatus\n        seconds\n        replayed\n        createdAt\n        deliveredAt\n        deadAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.HookDeliveriesDocument,
    "\n  query OneDelivery($id: ID!) {\n    webhookDelivery(id: $id) {\n      uuid\n      eventId\n      type\n      state\n      attempts\n      nextAt\n      lastError\n      lastStatus\n      answer\n      seconds\n      failedAttempts {\n        at\n        status\n        error\n        seconds\n      }\n      replayed\n      createdAt\n      deliveredAt\n      deadAt\n      body\n    }\n  }\n": types.OneDeliveryDocument,
    "\n  mutation TryHookNow($id: ID!) {\n    tryWebhookNow(id: $id) {\n      uuid\n      failures\n      nextAt\n    }\n  }\n": types.TryHookNowDocument,
    "\n  query DomainPage($first: Int!, $after: String, $where: DomainWhere, $admin: Boolean!) {\n    domains(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        name\n        status\n        checkedAt\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.DomainPageDocument,
    "\n  query OneDomain($id: ID!, $admin: Boolean!) {\n    domain(id: $id) {\n      uuid\n      name\n      status\n      records {\n        purpose\n        name\n        type\n        value\n        selector\n        state\n      }\n      verifiedAt\n      checkedAt\n      lostAt\n      problem\n      createdAt\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n": types.OneDomainDocument,
    "\n  fragment FindingFields on DomainFinding {\n    topic\n    state\n    text\n    recordName\n    recordValue\n  }\n": types.FindingFieldsFragmentDoc,
    "\n  query DomainFindings($id: ID!) {\n    domainFindings(id: $id) {\n      ...FindingFields\n    }\n  }\n": types.DomainFindingsDocument,
    "\n  query DomainCheck($domain: String!, $selector: String) {\n    domainCheck(domain: $domain, selector: $selector) {\n      ...FindingFields\n    }\n  }\n": types.DomainCheckDocument,
    "\n  mutation CreateDomain($input: NewDomain!) {\n    createDomain(input: $input) {\n      uuid\n    }\n  }\n": types.CreateDomainDocument,
    "\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      uuid\n      status\n    }\n  }\n": types.VerifyDomainDocument,
    "\n  mutation RotateDomainKey($id: ID!) {\n    rotateDomainKey(id: $id) {\n      uuid\n    }\n  }\n": types.RotateDomainKeyDocument,
    "\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n": types.DeleteDomainDocument,
    "\n  query EventSinkPage($first: Int!, $after: String, $owner: Boolean!) {\n    eventSinks(first: $first, after: $after) {\n      nodes {\n        ...Sink\n        owner @include(if: $owner) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n  fragment Sink on EventSink {\n    uuid\n    ownerId\n    name\n    url\n    stream\n    subject\n    makeStream\n    replicas\n    duplicateWindowSeconds\n    types\n    query\n    enabled\n    disabledReason\n    failures\n    failingSince\n    lastError\n    nextAt\n    publishedAt\n    status {\n      lag\n      ratePerSecond\n      published\n      missed\n      replaying\n    }\n  }\n": types.EventSinkPageDocument,
    "\n  query EventSinkTypes {\n    eventTypes {\n      type\n    }\n  }\n": types.EventSinkTypesDocument,
    "\n  mutation CreateEventSink($input: NewEventSink!) {\n    createEventSink(input: $input) {\n      uuid\n    }\n  }\n": types.CreateEventSinkDocument,
    "\n  mutation ChangeEventSink($id: ID!, $input: EventSinkPatch!) {\n    updateEventSink(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.ChangeEventSinkDocument,
    "\n  mutation DeleteEventSink($id: ID!) {\n    deleteEventSink(id: $id)\n  }\n": types.DeleteEventSinkDocument,
    "\n  mutation TestEventSink($id: ID!) {\n    testEventSink(id: $id) {\n      acknowledged\n      error\n      subject\n      sequence\n      seconds\n    }\n  }\n": types.TestEventSinkDocument,
    "\n  mutation ReplayEventSink($id: ID!, $input: EventSinkReplay!) {\n    replayEventSink(id: $id, input: $input)\n  }\n": types.ReplayEventSinkDocument,
    "\n  query FilePage(\n    $first: Int!\n    $after: String\n    $where: FileWhere\n    $orderBy: FileOrder\n    $admin: Boolean!\n    $imports: Boolean!\n    $exports: Boolean!\n  ) {\n    files(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        mime\n        size\n        createdAt\n        url\n        imports(first: 1) @include(if: $imports) {\n          nodes {\n            uuid\n            status\n            valid\n          }\n        }\n        exports(first: 1) @include(if: $exports) {\n          nodes {\n            uuid\n            source\n            sendingProject {\n              uuid\n              name\n            }\n          }\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.FilePageDocument,
    "\n  mutation DeleteFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n": types.DeleteFileDocument,
    "\n  fragment InboxAnswer on CannedAnswer {\n    uuid\n    shortcut\n    text\n  }\n": types.InboxAnswerFragmentDoc,
    "\n  query InboxAnswers($first: Int!, $after: String, $where: CannedAnswerWhere) {\n    cannedAnswers(first: $first, after: $after, where: $where) {\n      nodes {\n        ...InboxAnswer\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.InboxAnswersDocument,
    "\n  mutation InboxNewAnswer($input: NewCannedAnswer!) {\n    createCannedAnswer(input: $input) {\n      ...InboxAnswer\n    }\n  }\n": types.InboxNewAnswerDocument,
    "\n  mutation InboxChangeAnswer($id: ID!, $input: CannedAnswerPatch!) {\n    updateCannedAnswer(id: $id, input: $input) {\n      ...InboxAnswer\n    }\n  }\n": types.InboxChangeAnswerDocument,
    "\n  mutation InboxDeleteAnswer($id: ID!) {\n    deleteCannedAnswer(id: $id)\n  }\n": types.InboxDeleteAnswerDocument,
    "\n  fragment InboxAccount on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    state\n    next\n  }\n": types.InboxAccountFragmentDoc,
    "\n  fragment InboxChat on MessengerChat {\n    uuid\n    accountId\n    thread\n    kind\n    name\n    phone\n    username\n    unread\n    lastAt\n    closedAt\n    labels {\n      ...InboxLabel\n    }\n  }\n": types.InboxChatFragmentDoc,
    "\n  fragment InboxMessage on MessengerMessage {\n    uuid\n    from\n    name\n    at\n    editedAt\n    deletedAt\n    text\n    outgoing\n    replyTo\n    content {\n      type\n      src\n      filename\n      mime\n      size\n    }\n    reactions {\n      from\n      emoji\n    }\n    status\n    failureCode\n    failureReason\n  }\n": types.InboxMessageFragmentDoc,
    "\n  fragment InboxNote on ChatNote {\n    uuid\n    text\n    createdAt\n    authorId\n    author @include(if: $authors) {\n      displayName\n      email\n    }\n  }\n": types.InboxNoteFragmentDoc,
    "\n  query InboxNotes($chat: ID!, $first: Int!, $authors: Boolean!) {\n    messengerChat(id: $chat) {\n      uuid\n      notes(first: $first) {\n        nodes {\n          ...InboxNote\n        }\n      }\n    }\n  }\n": types.InboxNotesDocument,
    "\n  mutation InboxNewNote($chat: ID!, $text: String!, $authors: Boolean!) {\n    createChatNote(chatId: $chat, input: { text: $text }) {\n      ...InboxNote\n    }\n  }\n": types.InboxNewNoteDocument,
    "\n  mutation InboxDeleteNote($id: ID!) {\n    deleteChatNote(id: $id)\n  }\n": types.InboxDeleteNoteDocument,
    "\n  mutation InboxClose($id: ID!, $upTo: ID) {\n    closeMessengerChat(id: $id, upTo: $upTo) {\n      ...InboxChat\n    }\n  }\n": types.InboxCloseDocument,
    "\n  mutation InboxReopen($id: ID!) {\n    reopenMessengerChat(id: $id) {\n      ...InboxChat\n    }\n  }\n": types.InboxReopenDocument,
    "\n  query InboxAccounts {\n    messengerAccounts(first: 100) {\n      nodes {\n        ...InboxAccount\n      }\n    }\n  }\n": types.InboxAccountsDocument,
    "\n  query InboxPageOfChats($first: Int!, $after: String, $account: ID, $where: MessengerChatWhere) {\n    messengerChats(first: $first, after: $after, accountId: $account, where: $where) {\n      nodes {\n        ...InboxChat\n        messages(first: 1) {\n          nodes {\n            ...InboxMessage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.InboxPageOfChatsDocument,
    "\n  query InboxConversation($id: ID!, $first: Int!) {\n    messengerChat(id: $id) {\n      ...InboxChat\n      messages(first: $first) {\n        nodes {\n          ...InboxMessage\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.InboxConversationDocument,
    "\n  query InboxOlder($account: ID!, $thread: String!, $first: Int!, $after: String) {\n    messengerMessages(accountId: $account, thread: $thread, first: $first, after: $after) {\n      nodes {\n        ...InboxMessage\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.InboxOlderDocument,
    "\n  query InboxChatWith($account: ID!, $to: String!) {\n    messengerMessages(accountId: $account, to: $to, first: 1) {\n      nodes {\n        uuid\n        chat {\n          uuid\n        }\n      }\n    }\n  }\n": types.InboxChatWithDocument,
    "\n  query InboxQuoted($item: ID!, $account: ID!) {\n    messengerMessage(item: $item, accountId: $account) {\n      ...InboxMessage\n    }\n  }\n": types.InboxQuotedDocument,
    "\n  mutation InboxSend($account: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $account, input: $input) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n": types.InboxSendDocument,
    "\n  mutation InboxRead($id: ID!, $upTo: ID) {\n    readMessengerChat(id: $id, upTo: $upTo) {\n      uuid\n      unread\n    }\n  }\n": types.InboxReadDocument,
    "\n  mutation InboxTyping($account: ID!, $input: MessengerPresence!) {\n    sendMessengerTyping(accountId: $account, input: $input)\n  }\n": types.InboxTypingDocument,
    "\n  mutation InboxNotTyping($account: ID!, $to: String!) {\n    resetMessengerTyping(accountId: $account, to: $to)\n  }\n": types.InboxNotTypingDocument,
    "\n  mutation InboxForgetFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n": types.InboxForgetFileDocument,
    "\n  subscription InboxChanged($account: ID) {\n    messengerMessageChanged(accountId: $account) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n": types.InboxChangedDocument,
    "\n  subscription InboxAccountChanged {\n    messengerAccountChanged {\n      account {\n        uuid\n        state\n      }\n    }\n  }\n": types.InboxAccountChangedDocument,
    "\n  query InboxHits($text: String!, $account: ID, $after: String) {\n    messengerMessageSearch(text: $text, accountId: $account, first: 20, after: $after) {\n      nodes {\n        uuid\n        text\n        at\n        outgoing\n        name\n        account {\n          uuid\n        }\n        chat {\n          uuid\n          name\n          phone\n          username\n          thread\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.InboxHitsDocument,
    "\n  fragment InboxLabel on ChatLabel {\n    uuid\n    name\n    color\n  }\n": types.InboxLabelFragmentDoc,
    "\n  query InboxLabels {\n    chatLabels {\n      ...InboxLabel\n    }\n  }\n": types.InboxLabelsDocument,
    "\n  mutation InboxNewLabel($input: NewChatLabel!) {\n    createChatLabel(input: $input) {\n      ...InboxLabel\n    }\n  }\n": types.InboxNewLabelDocument,
    "\n  mutation InboxChangeLabel($id: ID!, $input: ChatLabelPatch!) {\n    updateChatLabel(id: $id, input: $input) {\n      ...InboxLabel\n    }\n  }\n": types.InboxChangeLabelDocument,
    "\n  mutation InboxDeleteLabel($id: ID!) {\n    deleteChatLabel(id: $id)\n  }\n": types.InboxDeleteLabelDocument,
    "\n  mutation InboxSetLabels($id: ID!, $labels: [ID!]!) {\n    setMessengerChatLabels(id: $id, labels: $labels) {\n      ...InboxChat\n    }\n  }\n": types.InboxSetLabelsDocument,
    "\n  query InboxPerson(\n    $address: String!\n    $part: String!\n    $first: Int!\n    $messages: Boolean!\n    $records: Boolean!\n  ) {\n    messages(first: $first, where: { to: { eq: $address } }) @include(if: $messages) {\n      nodes {\n        uuid\n        channel\n        body\n        deliveryState\n        createdAt\n      }\n    }\n    messageRecords(first: $first, where: { to: { eq: $address } }) @include(if: $records) {\n      nodes {\n        uuid\n        channel\n        body\n        status\n        queuedAt\n        sendingProject {\n          uuid\n          name\n        }\n      }\n    }\n    messengerChats(first: 20, where: { text: { contains: $part } }) {\n      nodes {\n        ...InboxChat\n        account {\n          uuid\n          name\n          login\n          source\n        }\n      }\n    }\n  }\n": types.InboxPersonDocument,
    "\n  fragment MemberRow on Member {\n    uuid\n    email\n    role\n    permissions\n    hasOwnPermissions\n    createdAt\n    joinedAt\n    expiresAt\n  }\n": types.MemberRowFragmentDoc,
    "\n  query Members {\n    members(first: 100) {\n      nodes {\n        ...MemberRow\n      }\n    }\n  }\n": types.MembersDocument,
    "\n  mutation InviteMember($input: NewMember!) {\n    inviteMember(input: $input) {\n      token\n      member {\n        ...MemberRow\n      }\n    }\n  }\n": types.InviteMemberDocument,
    "\n  mutation ChangeMember($id: ID!, $input: MemberPatch!) {\n    changeMember(id: $id, input: $input) {\n      ...MemberRow\n    }\n  }\n": types.ChangeMemberDocument,
    "\n  mutation RemoveMember($id: ID!, $input: MemberRemoval) {\n    endMember(id: $id, input: $input) {\n      ended {\n        kind\n        credentialUuid\n        name\n      }\n    }\n  }\n": types.RemoveMemberDocument,
    "\n  mutation AcceptMembership($input: AcceptMembership!) {\n    acceptMembership(input: $input) {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n": types.AcceptMembershipDocument,
    "\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n": types.DirectRowFragmentDoc,
    "\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n": types.RecordRowFragmentDoc,
    "\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.DirectPageDocument,
    "\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.RecordPageDocument,
    "\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": types.DirectTotalDocument,
    "\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": types.RecordTotalDocument,
    "\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n": types.DirectChangedDocument,
    "\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n": types.RecordsMovedDocument,
    "\n  query Choices($accounts: Boolean!, $projects: Boolean!, $tariff: Boolean!) {\n    accounts(first: 100) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff @include(if: $tariff) {\n      code\n      channels\n      prices\n    }\n  }\n": types.ChoicesDocument,
    "\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n": types.SendMessageDocument,
    "\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n": types.SegmentsDocument,
    "\n  fragment AttemptFields on FailedAttempt {\n    at\n    code\n    reason\n    provider\n  }\n": types.AttemptFieldsFragmentDoc,
    "\n  fragment DeliveryFields on WebhookDelivery {\n    uuid\n    type\n    state\n    attempts\n    createdAt\n    webhook {\n      uuid\n      url\n    }\n  }\n": types.DeliveryFieldsFragmentDoc,
    "\n  query OneMessage(\n    $id: ID!\n    $admin: Boolean!\n    $direct: Boolean!\n    $record: Boolean!\n    $deliveries: Boolean!\n    $senders: Boolean!\n  ) {\n    message(id: $id) @include(if: $direct) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      ledgerEntries {\n        uuid\n        kind\n        amount\n        createdAt\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) @include(if: $record) {\n      ...RecordRow\n      attempts\n      variant\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) @include(if: $direct) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      sender\n      sourceAccount @include(if: $senders) {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n": types.OneMessageDocument,
    "\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n": types.OneChangedDocument,
    "\n  mutation BlockRecipients($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      invalid {\n        place\n        message\n      }\n    }\n  }\n": types.BlockRecipientsDocument,
    "\n  fragment ReportFields on MailReport {\n    uuid\n    type\n    bounceClass\n    status\n    code\n    diagnostic\n    createdAt\n  }\n": types.ReportFieldsFragmentDoc,
    "\n  query ReportMail($id: ID!) {\n    mailReportMail(id: $id) {\n      mail\n    }\n  }\n": types.ReportMailDocument,
    "\n  fragment MessengerRow on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    driver\n    state\n    reason\n    reasonCode\n    until\n    attemptsLeft\n    stateAt\n    phone\n    connectedPhone\n    updatedAt\n  }\n": types.MessengerRowFragmentDoc,
    "\n  query MessengerAccountPage($after: String, $where: MessengerAccountWhere, $admin: Boolean!) {\n    messengerAccounts(first: 100, after: $after, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        ...MessengerRow\n        owner @include(if: $admin) {\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.MessengerAccountPageDocument,
    "\n  query MessengerAccountCounts {\n    all: messengerAccounts(first: 1) {\n      totalCount\n    }\n    working: messengerAccounts(first: 1, where: { state: { eq: working } }) {\n      totalCount\n    }\n    login: messengerAccounts(\n      first: 1\n      where: { state: { in: [waitQr, waitPhone, waitCode, waitPassword, showCode] } }\n    ) {\n      totalCount\n    }\n    down: messengerAccounts(first: 1, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      totalCount\n    }\n    moving: messengerAccounts(first: 1, where: { state: { in: [starting, syncing, reconnecting] } }) {\n      totalCount\n    }\n    stopped: messengerAccounts(first: 1, where: { state: { eq: stopped } }) {\n      totalCount\n    }\n  }\n": types.MessengerAccountCountsDocument,
    "\n  subscription MessengerAccountsMoved {\n    messengerAccountChanged {\n      account {\n        ...MessengerRow\n      }\n    }\n  }\n": types.MessengerAccountsMovedDocument,
    "\n  query OneMessengerAccount($id: ID!, $admin: Boolean!) {\n    messengerAccount(id: $id) {\n      ...MessengerRow\n      wanted\n      checkedAt\n      proxy\n      createdAt\n      me {\n        messengerId\n        phone\n        username\n        firstName\n        lastName\n      }\n      owner @include(if: $admin) {\n        email\n      }\n    }\n  }\n": types.OneMessengerAccountDocument,
    "\n  subscription MessengerAccountMoved($id: ID!) {\n    messengerAccountChanged(id: $id) {\n      account {\n        ...MessengerRow\n        wanted\n        checkedAt\n        proxy\n        createdAt\n        me {\n          messengerId\n          phone\n          username\n          firstName\n          lastName\n        }\n      }\n      qrCode {\n        value\n        expiresAt\n        png\n      }\n      pairingCode {\n        value\n        expiresAt\n      }\n      at\n    }\n  }\n": types.MessengerAccountMovedDocument,
    "\n  query MessengerHistory($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      stateChanges {\n        state\n        reason\n        reasonCode\n        until\n        createdAt\n      }\n    }\n  }\n": types.MessengerHistoryDocument,
    "\n  query EnabledDrivers {\n    messengerDrivers {\n      source\n      driver\n      label\n      about\n    }\n  }\n": types.EnabledDriversDocument,
    "\n  mutation AddMessenger($input: NewMessengerAccount!) {\n    addMessengerAccount(input: $input) {\n      uuid\n    }\n  }\n": types.AddMessengerDocument,
    "\n  mutation StartMessenger($id: ID!) {\n    startMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n": types.StartMessengerDocument,
    "\n  mutation StopMessenger($id: ID!) {\n    stopMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n": types.StopMessengerDocument,
    "\n  mutation ClearMessenger($id: ID!) {\n    clearMessengerSession(id: $id) {\n      ...MessengerRow\n    }\n  }\n": types.ClearMessengerDocument,
    "\n  mutation DeleteMessenger($id: ID!) {\n    deleteMessengerAccount(id: $id)\n  }\n": types.DeleteMessengerDocument,
    "\n  mutation SetMessengerPhone($id: ID!, $phone: String) {\n    setMessengerPhone(id: $id, input: { phone: $phone }) {\n      ...MessengerRow\n    }\n  }\n": types.SetMessengerPhoneDocument,
    "\n  mutation SolveChallenge($id: ID!, $code: String!) {\n    solveMessengerChallenge(id: $id, input: { code: $code }) {\n      ...MessengerRow\n    }\n  }\n": types.SolveChallengeDocument,
    "\n  mutation GivePassword($id: ID!, $password: String!) {\n    giveMessengerPassword(id: $id, input: { password: $password }) {\n      ...MessengerRow\n    }\n  }\n": types.GivePasswordDocument,
    "\n  mutation UpdateMessenger($id: ID!, $input: MessengerAccountPatch!) {\n    updateMessengerAccount(id: $id, input: $input) {\n      ...MessengerRow\n      proxy\n    }\n  }\n": types.UpdateMessengerDocument,
    "\n  mutation RenewProxy($id: ID!) {\n    renewMessengerProxy(id: $id) {\n      ...MessengerRow\n      proxy\n    }\n  }\n": types.RenewProxyDocument,
    "\n  mutation SendMessengerTest($id: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $id, input: $input) {\n      uuid\n      status\n    }\n  }\n": types.SendMessengerTestDocument,
    "\n  query MessengerBehaviour($id: ID!) {\n    messengerConfig(id: $id, name: \"default\") {\n      config\n      updatedAt\n    }\n  }\n": types.MessengerBehaviourDocument,
    "\n  mutation SetMessengerBehaviour($id: ID!, $input: NewMessengerConfig!) {\n    setMessengerConfig(id: $id, input: $input) {\n      config\n      updatedAt\n    }\n  }\n": types.SetMessengerBehaviourDocument,
    "\n  query SenderOfAccount($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      sourceAccounts(first: 1) {\n        nodes {\n          uuid\n          login\n        }\n      }\n    }\n  }\n": types.SenderOfAccountDocument,
    "\n  query MessengerWebhooks($id: ID!) {\n    webhooks(accountId: $id, first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        nextAt\n        lastError\n        lastStatus\n        deliveredAt\n        events\n        waiting\n        dead\n      }\n    }\n  }\n": types.MessengerWebhooksDocument,
    "\n  mutation AddMessengerWebhook($id: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $id, input: $input) {\n      webhook {\n        uuid\n        url\n      }\n      secret\n    }\n  }\n": types.AddMessengerWebhookDocument,
    "\n  mutation TestMessengerWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      seconds\n    }\n  }\n": types.TestMessengerWebhookDocument,
    "\n  mutation SwitchMessengerWebhook($id: ID!, $enabled: Boolean!) {\n    updateWebhook(id: $id, input: { enabled: $enabled }) {\n      uuid\n      enabled\n    }\n  }\n": types.SwitchMessengerWebhookDocument,
    "\n  mutation RotateMessengerSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": types.RotateMessengerSecretDocument,
    "\n  mutation DeleteMessengerWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n": types.DeleteMessengerWebhookDocument,
    "\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!, $channel: ProjectChannel) {\n    statisticsGeneral(\n      kind: all\n      interval: $interval\n      dateFrom: $from\n      timezone: $timezone\n      channel: $channel\n    ) {\n      items {\n        from\n        sent\n        delivered\n        failed\n        unknown\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n": types.TrafficDocument,
    "\n  fragment AttentionAccount on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n  }\n": types.AttentionAccountFragmentDoc,
    "\n  query Attention(\n    $admin: Boolean!\n    $own: Boolean!\n    $accounts: Boolean!\n    $projects: Boolean!\n    $messengers: Boolean!\n    $events: Boolean!\n    $tariff: Boolean!\n  ) {\n    me @include(if: $own) {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          ...AttentionAccount\n        }\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        ...AttentionAccount\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } })\n      @include(if: $messengers) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) @include(if: $messengers) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed @include(if: $events) {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff @include(if: $tariff) {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n": types.AttentionDocument,
    "\n  query DoctorFindings {\n    doctor {\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n": types.DoctorFindingsDocument,
    "\n  query Outcomes($from: DateTime!) {\n    statisticsOutcomes(dateFrom: $from) {\n      from\n      countedSince\n      items {\n        kind\n        channel\n        total\n        queued\n        sending\n        sent\n        delivered\n        read\n        failed\n        skipped\n        unknown\n        canceled\n      }\n    }\n  }\n": types.OutcomesDocument,
    "\n  query FailedMessages($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 100, where: $direct) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messageRecords(first: 100, where: $project) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n": types.FailedMessagesDocument,
    "\n  query CauseTotals($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 1, where: $direct) {\n      totalCount\n    }\n    messageRecords(first: 1, where: $project) {\n      totalCount\n    }\n  }\n": types.CauseTotalsDocument,
    "\n  query Active {\n    sendingProjects(first: 6, where: { status: { in: [running, paused, scheduled] } }) {\n      nodes {\n        uuid\n        name\n        status\n        statusReason\n        startAt\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          skipped\n          unknown\n          canceled\n        }\n        progress {\n          total\n          done\n          percent\n          perMinute\n          endsAt\n        }\n      }\n    }\n  }\n": types.ActiveDocument,
    "\n  query Newcomer($me: String!) {\n    messages(first: 20, where: { ownerId: { eq: $me }, direction: { eq: outbound } }) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    delivered: messages(\n      first: 20\n      where: { ownerId: { eq: $me }, direction: { eq: outbound }, deliveryState: { eq: delivered } }\n    ) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    sendingProjects(first: 20, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n        counts {\n          total\n          delivered\n          read\n        }\n      }\n    }\n    messengerAccounts(first: 1, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n      }\n    }\n    apiTokens(first: 1, where: { revoked: { eq: false } }) {\n      nodes {\n        uuid\n      }\n    }\n  }\n": types.NewcomerDocument,
    "\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n": types.DirectSignalDocument,
    "\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n": types.ProjectSignalDocument,
    "\n  mutation LeaveOwner($id: ID!) {\n    leaveOwner(id: $id)\n  }\n": types.LeaveOwnerDocument,
    "\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n": types.ChangePasswordDocument,
    "\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n": types.SaveProfileDocument,
    "\n  query SecondFactors {\n    secondFactors {\n      factors {\n        uuid\n        name\n        confirmedAt\n      }\n      recoveryCodes\n      demanded\n    }\n  }\n": types.SecondFactorsDocument,
    "\n  mutation BeginTotp($input: NewTotp) {\n    beginTotp(input: $input) {\n      factorUuid: uuid\n      secret\n      qrPng\n    }\n  }\n": types.BeginTotpDocument,
    "\n  mutation ConfirmTotp($id: ID!, $input: SecondFactorCode!) {\n    confirmTotp(id: $id, input: $input) {\n      recoveryCodes\n    }\n  }\n": types.ConfirmTotpDocument,
    "\n  mutation RemoveSecondFactor($id: ID!) {\n    removeSecondFactor(id: $id)\n  }\n": types.RemoveSecondFactorDocument,
    "\n  mutation NewRecoveryCodes {\n    newRecoveryCodes {\n      recoveryCodes\n    }\n  }\n": types.NewRecoveryCodesDocument,
    "\n  fragment ProjectRow on SendingProject {\n    uuid\n    name\n    status\n    statusReason\n    resumeAt\n    recipientsPending\n    recipientsError\n    channel\n    startAt\n    createdAt\n    updatedAt\n    startedAt\n    finishedAt\n    counts {\n      total\n      queued\n      sending\n      sent\n      delivered\n      read\n      failed\n      skipped\n      unknown\n      canceled\n      replied\n    }\n    progress {\n      total\n      done\n      percent\n      preparing\n      perMinute\n      etaSeconds\n      endsAt\n    }\n  }\n": types.ProjectRowFragmentDoc,
    "\n  query ProjectRows(\n    $first: Int!\n    $after: String\n    $where: SendingProjectWhere\n    $orderBy: SendingProjectOrder\n  ) {\n    sendingProjects(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...ProjectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.ProjectRowsDocument,
    "\n  query ProjectTotal($where: SendingProjectWhere) {\n    sendingProjects(first: 1, where: $where) {\n      totalCount\n    }\n  }\n": types.ProjectTotalDocument,
    "\n  subscription ProjectsMoved {\n    sendingProjectProgress {\n      ...ProjectRow\n    }\n  }\n": types.ProjectsMovedDocument,
    "\n  query OneProject(\n    $id: ID!\n    $admin: Boolean!\n    $accounts: Boolean!\n    $files: Boolean!\n    $recipients: Boolean!\n    $senders: Boolean!\n  ) {\n    sendingProject(id: $id) {\n      ...ProjectRow\n      messagesDeletedAt\n      retrySuppressed\n      ...ProjectOwnSettings\n      ...ProjectFiles @include(if: $files)\n      ...ProjectSenders @include(if: $senders)\n      processing {\n        stuck\n        lastProgressAt\n      }\n      failureReasons {\n        code\n        count\n        skipped\n      }\n      variantStatistics {\n        variant\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          replied\n        }\n        rates {\n          delivered\n          read\n          failed\n          replied\n        }\n      }\n      rates {\n        sent\n        delivered\n        read\n        failed\n        replied\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n        currency\n        balance\n      }\n      cost @include(if: $accounts) {\n        currency\n        cost\n        charged\n        refunded\n      }\n      recipients(first: 1) @include(if: $recipients) {\n        totalCount\n      }\n      repeatable {\n        uuid\n        name\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n": types.OneProjectDocument,
    "\n  subscription ProjectMoved($id: ID!) {\n    sendingProjectProgress(id: $id) {\n      ...ProjectRow\n    }\n  }\n": types.ProjectMovedDocument,
    "\n  fragment ProjectSettings on SendingProject {\n    ...ProjectOwnSettings\n    ...ProjectFiles\n    ...ProjectSenders\n  }\n": types.ProjectSettingsFragmentDoc,
    "\n  fragment ProjectFiles on SendingProject {\n    attachments {\n      uuid\n      name\n      size\n      url\n    }\n  }\n": types.ProjectFilesFragmentDoc,
    "\n  fragment ProjectSenders on SendingProject {\n    sourceAccounts {\n      uuid\n      name\n      login\n      status\n    }\n  }\n": types.ProjectSendersFragmentDoc,
    "\n  fragment ProjectOwnSettings on SendingProject {\n    uuid\n    name\n    status\n    channel\n    category\n    accountId\n    accountUuids\n    from\n    sender\n    subject\n    html\n    text\n    startAt\n    startWithinSeconds\n    onMissingVariable\n    stopOnReply\n    variableLabels\n    attachmentUuids\n    audience {\n      topicUuids\n      segmentUuids\n      exceptTopicUuids\n      exceptSegmentUuids\n      exceptProjectUuids\n    }\n    template {\n      name\n      language\n      params\n    }\n    retry {\n      maxAttempts\n      backoffSeconds\n    }\n    variants {\n      text\n      weight\n    }\n    window {\n      timezone\n      days\n      from\n      to\n      recipientTimezone\n    }\n    speed {\n      perMinute\n      perAccountPerMinute\n      jitterSeconds\n    }\n  }\n": types.ProjectOwnSettingsFragmentDoc,
    "\n  mutation StartProject($id: ID!) {\n    startSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n": types.StartProjectDocument,
    "\n  mutation StopProject($id: ID!) {\n    stopSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n": types.StopProjectDocument,
    "\n  mutation RetryProject($id: ID!, $input: RetryProject) {\n    retrySendingProject(id: $id, input: $input) {\n      ...ProjectRow\n    }\n  }\n": types.RetryProjectDocument,
    "\n  mutation DeleteProject($id: ID!) {\n    deleteSendingProject(id: $id)\n  }\n": types.DeleteProjectDocument,
    "\n  mutation DuplicateProject($id: ID!, $input: DuplicateProject!) {\n    duplicateSendingProject(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.DuplicateProjectDocument,
    "\n  mutation StopProjects($ids: [UUID!]!) {\n    stopSendingProjects(input: { uuids: $ids }) {\n      stopped\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n": types.StopProjectsDocument,
    "\n  mutation RetryProjects($ids: [UUID!]!) {\n    retrySendingProjects(input: { uuids: $ids }) {\n      retried\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n": types.RetryProjectsDocument,
    "\n  mutation DeleteProjects($ids: [UUID!]!) {\n    deleteSendingProjects(input: { uuids: $ids }) {\n      deleted\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n": types.DeleteProjectsDocument,
    "\n  query DraftProject($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n      recipientsPending\n      recipientsError\n      recipients(first: 50) {\n        totalCount\n        nodes {\n          uuid\n          address\n          name\n          variables\n        }\n      }\n    }\n  }\n": types.DraftProjectDocument,
    "\n  query ProjectChoices($messengers: Boolean!) {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sourceAccounts(first: 100) {\n      nodes {\n        uuid\n        source\n        name\n        login\n        status\n        messengerAccount @include(if: $messengers) {\n          driver\n        }\n      }\n    }\n    tariff {\n      channels\n      prices\n      maxRecipientsPerProject\n      messagesPerDay\n      messagesPerMinute\n      used {\n        messagesToday\n      }\n    }\n  }\n": types.ProjectChoicesDocument,
    "\n  mutation CreateProject($input: NewSendingProject!) {\n    createSendingProject(input: $input) {\n      ...ProjectSettings\n    }\n  }\n": types.CreateProjectDocument,
    "\n  mutation UpdateProject($id: ID!, $input: SendingProjectPatch!) {\n    updateSendingProject(id: $id, input: $input) {\n      ...ProjectSettings\n    }\n  }\n": types.UpdateProjectDocument,
    "\n  query PreviewList($input: NewImport!) {\n    previewImport(input: $input) {\n      format\n      delimiter\n      encoding\n      header\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n": types.PreviewListDocument,
    "\n  mutation ImportList($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n": types.ImportListDocument,
    "\n  mutation ImportText($input: NewTextImport!) {\n    importRecipientsFromText(input: $input) {\n      uuid\n    }\n  }\n": types.ImportTextDocument,
    "\n  query EarlierImports {\n    recipientImports(first: 20, where: { status: { eq: ready } }) {\n      nodes {\n        uuid\n        fileName\n        valid\n        createdAt\n      }\n    }\n  }\n": types.EarlierImportsDocument,
    "\n  mutation AddList($project: ID!, $list: UUID!) {\n    addRecipients(sendingProjectId: $project, input: { importUuid: $list }) {\n      added\n      duplicates\n      invalidCount\n      invalid {\n        place\n        message\n      }\n      pending\n    }\n  }\n": types.AddListDocument,
    "\n  query PreviewText($input: PreviewMessage!) {\n    previewMessage(input: $input) {\n      subject\n      body\n      html\n      variables\n      missing\n      characters\n      segments\n      encoding\n    }\n  }\n": types.PreviewTextDocument,
    "\n  mutation SendTrial($input: SendTest!) {\n    sendTestMessage(input: $input) {\n      messageId\n      status\n      error {\n        code\n        message\n      }\n    }\n  }\n": types.SendTrialDocument,
    "\n  query Timezones {\n    timezones\n  }\n": types.TimezonesDocument,
    "\n  query ProjectPlan($id: ID!, $changes: PlannedChanges) {\n    sendingProjectPlan(id: $id, changes: $changes) {\n      recipients\n      toSend\n      exact\n      examined\n      skipped {\n        code\n        count\n      }\n      missing {\n        name\n        count\n      }\n      cost {\n        currency\n        price\n        amount\n        atMost\n        byCountry {\n          country\n          messages\n          amount\n        }\n        parts\n      }\n      perMinute\n      limitedBy\n      leftToday\n      beginsAt\n      endsAt\n    }\n  }\n": types.ProjectPlanDocument,
    "\n  query FindRecipients($id: ID!, $text: String!) {\n    recipients(sendingProjectId: $id, first: 5, where: { text: { contains: $text } }) {\n      totalCount\n      nodes {\n        uuid\n        address\n        name\n      }\n    }\n  }\n": types.FindRecipientsDocument,
    "\n  mutation RemoveRecipients($id: ID!, $input: RemoveRecipients!) {\n    removeRecipients(sendingProjectId: $id, input: $input) {\n      removed\n      withMessage\n      more\n    }\n  }\n": types.RemoveRecipientsDocument,
    "\n  mutation WriteTexts($input: GenerateText!) {\n    generateText(input: $input) {\n      texts\n      model\n      usage {\n        totalTokens\n      }\n    }\n  }\n": types.WriteTextsDocument,
    "\n  query EarlierTrials($channel: ProjectChannel!) {\n    trialMessages(first: 5, where: { channel: { eq: $channel } }) {\n      nodes {\n        uuid\n        to\n        deliveryState\n        failureReason\n        createdAt\n      }\n    }\n  }\n": types.EarlierTrialsDocument,
    "\n  query EarlierProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 30, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 20, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": types.EarlierProjectsDocument,
    "\n  query ProjectMailReports($id: ID!) {\n    sendingProject(id: $id) {\n      uuid\n      mailReportCounts {\n        providerClass\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        deferred\n        complaints\n      }\n    }\n  }\n": types.ProjectMailReportsDocument,
    "\n  query ProjectTraffic(\n    $id: ID!\n    $interval: Interval!\n    $from: DateTime\n    $until: DateTime\n    $timezone: String!\n  ) {\n    sendingProject(id: $id) {\n      uuid\n      statistics(interval: $interval, dateFrom: $from, dateTo: $until, timezone: $timezone) {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n  }\n": types.ProjectTrafficDocument,
    "\n  fragment RepeatableRow on RepeatableSendingProject {\n    uuid\n    name\n    status\n    nextRunAt\n    lastRunAt\n    runs\n    lastError\n    createdAt\n    schedule {\n      rrule\n      cron\n      timezone\n      startAt\n      endAt\n      maxRuns\n      misfire\n    }\n  }\n": types.RepeatableRowFragmentDoc,
    "\n  query RepeatableRows($first: Int!, $after: String) {\n    repeatableSendingProjects(first: $first, after: $after) {\n      nodes {\n        ...RepeatableRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.RepeatableRowsDocument,
    "\n  query OneRepeatable($id: ID!, $accounts: Boolean!, $recipients: Boolean!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      nextRuns(count: 8)\n      template {\n        channel\n        subject\n        text\n        variants {\n          text\n          weight\n        }\n      }\n      recipientImport @include(if: $recipients) {\n        uuid\n        fileName\n        valid\n      }\n      sourceProject {\n        uuid\n        name\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n      }\n      sendingProjects(first: 20) {\n        nodes {\n          ...ProjectRow\n        }\n      }\n    }\n  }\n": types.OneRepeatableDocument,
    "\n  mutation StartRepeatable($id: ID!) {\n    startRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n": types.StartRepeatableDocument,
    "\n  mutation StopRepeatable($id: ID!) {\n    stopRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n": types.StopRepeatableDocument,
    "\n  mutation DeleteRepeatable($id: ID!) {\n    deleteRepeatableSendingProject(id: $id)\n  }\n": types.DeleteRepeatableDocument,
    "\n  query ProjectToRepeat($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n    }\n  }\n": types.ProjectToRepeatDocument,
    "\n  mutation CreateRepeatable($input: NewRepeatableProject!) {\n    createRepeatableSendingProject(input: $input) {\n      uuid\n    }\n  }\n": types.CreateRepeatableDocument,
    "\n  query RepeatableToEdit($id: ID!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      template {\n        channel\n        accountId\n        accountUuids\n        from\n        sender\n        subject\n        html\n        text\n        attachmentUuids\n        onMissingVariable\n        stopOnReply\n        category\n        variants {\n          text\n          weight\n        }\n        template {\n          name\n          language\n          params\n        }\n        window {\n          timezone\n          days\n          from\n          to\n          recipientTimezone\n        }\n        speed {\n          perMinute\n          perAccountPerMinute\n          jitterSeconds\n        }\n        retry {\n          maxAttempts\n          backoffSeconds\n        }\n      }\n    }\n  }\n": types.RepeatableToEditDocument,
    "\n  mutation UpdateRepeatable($id: ID!, $input: RepeatablePatch!) {\n    updateRepeatableSendingProject(id: $id, input: $input) {\n      ...RepeatableRow\n    }\n  }\n": types.UpdateRepeatableDocument,
    "\n  query ConfiguredRoutes {\n    systemRoutes {\n      name\n      channel\n      driver\n      label\n      state\n      since\n      probeAt\n      enabled\n      ignoresReceipts\n      made\n    }\n  }\n": types.ConfiguredRoutesDocument,
    "\n  query RouteReceipts {\n    routeQuality {\n      route\n      prefix\n      sent\n      delivered\n      sentBefore\n      deliveredBefore\n      degradedSince\n      retryAt\n    }\n  }\n": types.RouteReceiptsDocument,
    "\n  mutation CreateRoute($input: NewSystemRoute!) {\n    createSystemRoute(input: $input) {\n      name\n    }\n  }\n": types.CreateRouteDocument,
    "\n  mutation DeleteRoute($name: String!) {\n    deleteSystemRoute(name: $name)\n  }\n": types.DeleteRouteDocument,
    "\n  mutation SwitchRoute($name: String!, $enabled: Boolean!) {\n    setSystemRoute(name: $name, input: { enabled: $enabled }) {\n      name\n      enabled\n    }\n  }\n": types.SwitchRouteDocument,
    "\n  mutation IgnoreReceipts($name: String!, $ignoresReceipts: Boolean!) {\n    setSystemRoute(name: $name, input: { ignoresReceipts: $ignoresReceipts }) {\n      name\n      ignoresReceipts\n    }\n  }\n": types.IgnoreReceiptsDocument,
    "\n  query RouteRulePage($first: Int!, $after: String, $where: RouteRuleWhere) {\n    routeRules(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        prefix\n        country\n        route\n        category\n        priority\n        weight\n        fallback\n        owner {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.RouteRulePageDocument,
    "\n  mutation CreateRouteRule($input: RouteRuleInput!) {\n    createRouteRule(input: $input) {\n      uuid\n    }\n  }\n": types.CreateRouteRuleDocument,
    "\n  mutation UpdateRouteRule($id: ID!, $input: RouteRuleInput!) {\n    updateRouteRule(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.UpdateRouteRuleDocument,
    "\n  mutation DeleteRouteRule($id: ID!) {\n    deleteRouteRule(id: $id)\n  }\n": types.DeleteRouteRuleDocument,
    "\n  query RouteUsers($where: UserWhere!) {\n    users(first: 20, where: $where) {\n      nodes {\n        uuid\n        email\n      }\n    }\n  }\n": types.RouteUsersDocument,
    "\n  query RouteFor($input: TraceRoute!) {\n    routeFor(input: $input) {\n      to\n      country\n      candidates {\n        route\n        use\n        state\n        why\n      }\n      waits {\n        message\n      }\n      sender\n      senderWhy\n      price\n      currency\n      pricePrefix\n      refusal {\n        code\n        message\n      }\n    }\n  }\n": types.RouteForDocument,
    "\n  query SenderIdPage($first: Int!, $after: String, $where: SenderWhere, $admin: Boolean!) {\n    senders(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        kind\n        value\n        countries\n        state\n        reason\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.SenderIdPageDocument,
    "\n  query SameSenders($value: String!) {\n    senders(first: 20, where: { value: { eq: $value }, channel: { eq: sms } }) {\n      nodes {\n        uuid\n        value\n        state\n        owner {\n          uuid\n          email\n        }\n      }\n    }\n  }\n": types.SameSendersDocument,
    "\n  mutation RequestSender($input: NewSender!) {\n    requestSender(input: $input) {\n      value\n      state\n    }\n  }\n": types.RequestSenderDocument,
    "\n  mutation UpdateSender($id: ID!, $input: SenderPatch!) {\n    updateSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n": types.UpdateSenderDocument,
    "\n  mutation DecideSender($id: ID!, $input: SenderDecision!) {\n    decideSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n": types.DecideSenderDocument,
    "\n  mutation DeleteSenderId($id: ID!) {\n    deleteSender(id: $id)\n  }\n": types.DeleteSenderIdDocument,
    "\n  query SenderPage(\n    $first: Int!\n    $after: String\n    $where: SourceAccountWhere\n    $admin: Boolean!\n    $messengers: Boolean!\n  ) {\n    sourceAccounts(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        status\n        tokenHint\n        createdAt\n        messengerAccount @include(if: $messengers) {\n          uuid\n          name\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.SenderPageDocument,
    "\n  query PossibleSenders($where: MessengerAccountWhere!) {\n    messengerAccounts(first: 100, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        sourceAccounts(first: 1) {\n          nodes {\n            uuid\n          }\n        }\n      }\n    }\n  }\n": types.PossibleSendersDocument,
    "\n  mutation CreateSender($input: NewSourceAccount!) {\n    createSourceAccount(input: $input) {\n      uuid\n      name\n    }\n  }\n": types.CreateSenderDocument,
    "\n  mutation DeleteSender($id: ID!) {\n    deleteSourceAccount(id: $id)\n  }\n": types.DeleteSenderDocument,
    "\n  query AllSettings($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n    me {\n      uuid\n      accounts(first: 100) {\n        nodes {\n          uuid\n          name\n        }\n      }\n    }\n  }\n": types.AllSettingsDocument,
    "\n  query OneSetting($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n  }\n": types.OneSettingDocument,
    "\n  mutation SetSetting($input: SetSetting!) {\n    setSetting(input: $input) {\n      key\n      value\n    }\n  }\n": types.SetSettingDocument,
    "\n  mutation DeleteSetting($input: DeleteSetting!) {\n    deleteSetting(input: $input)\n  }\n": types.DeleteSettingDocument,
    "\n  query StoredValues($first: Int!, $after: String, $where: StorageValueWhere) {\n    storageValues(first: $first, after: $after, where: $where) {\n      nodes {\n        key\n        value\n        ttlSeconds\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.StoredValuesDocument,
    "\n  query StoredValue($key: String!) {\n    storageValue(key: $key) {\n      key\n      value\n      ttlSeconds\n    }\n  }\n": types.StoredValueDocument,
    "\n  mutation PutStoredValue($input: PutStorageValue!) {\n    putStorageValue(input: $input) {\n      key\n    }\n  }\n": types.PutStoredValueDocument,
    "\n  mutation DeleteStoredValue($key: String!) {\n    deleteStorageValue(key: $key)\n  }\n": types.DeleteStoredValueDocument,
    "\n  query DoctorReport($fresh: Boolean!) {\n    doctor(fresh: $fresh) {\n      version\n      python\n      embedded\n      examinedAt\n      leftOut\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n": types.DoctorReportDocument,
    "\n  query Sending {\n    systemRoutes {\n      name\n      driver\n      label\n      state\n      since\n      probeAt\n      concurrency\n      totalConcurrency\n      enabled\n    }\n    queueStatistics {\n      background {\n        kind\n        waiting\n        atWork\n        users\n      }\n    }\n    processingHealth {\n      status\n      projects {\n        uuid\n        status\n        stuck\n        lastProgressAt\n        workers\n        project {\n          uuid\n          name\n        }\n      }\n    }\n  }\n": types.SendingDocument,
    "\n  query AllowlistInUse {\n    ipAllowlist {\n      mode\n      file\n      entries\n      networks\n      everyone\n      loadedAt\n      error\n      yourAddress\n      yourReason\n    }\n  }\n": types.AllowlistInUseDocument,
    "\n  query AllowlistLines {\n    ipAllowlistLines {\n      at\n      address\n      method\n      path\n      reason\n      blocked\n      listed\n    }\n  }\n": types.AllowlistLinesDocument,
    "\n  query ParseMailReport($input: ParseMailReport!) {\n    parseMailReport(input: $input) {\n      ignored\n      token\n      ours\n      message {\n        messageUuid\n        to\n        state\n      }\n      recipients {\n        type\n        bounceClass\n        address\n        status\n        code\n        diagnostic\n      }\n      effect {\n        outcome\n        failureCode\n        block\n      }\n    }\n  }\n": types.ParseMailReportDocument,
    "\n  fragment TariffFields on Tariff {\n    code\n    name\n    public\n    maxConcurrentProjects\n    maxRecipientsPerProject\n    messagesPerDay\n    messagesPerMinute\n    channels\n    prices\n    priceListId\n  }\n": types.TariffFieldsFragmentDoc,
    "\n  query OwnTariff {\n    tariff {\n      code\n      name\n      maxConcurrentProjects\n      messagesPerDay\n      used {\n        concurrentProjects\n        messagesToday\n        resetsAt\n      }\n    }\n  }\n": types.OwnTariffDocument,
    "\n  query TariffPage($first: Int!, $after: String) {\n    tariffs(first: $first, after: $after) {\n      nodes {\n        ...TariffFields\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.TariffPageDocument,
    "\n  query OneTariff($code: String!) {\n    tariffs(where: { code: { eq: $code } }) {\n      nodes {\n        ...TariffFields\n      }\n    }\n    tariff {\n      code\n    }\n  }\n": types.OneTariffDocument,
    "\n  query TariffUsers($code: String!) {\n    users(first: 1, where: { tariffCode: { eq: $code } }) {\n      totalCount\n    }\n  }\n": types.TariffUsersDocument,
    "\n  mutation SaveTariff($input: SetTariff!) {\n    setTariff(input: $input) {\n      code\n    }\n  }\n": types.SaveTariffDocument,
    "\n  fragment PriceListRow on PriceList {\n    uuid\n    name\n    currency\n    strict\n    current {\n      number\n      size\n      validFrom\n    }\n  }\n": types.PriceListRowFragmentDoc,
    "\n  query PriceListPage($first: Int!, $after: String) {\n    priceLists(first: $first, after: $after) {\n      nodes {\n        ...PriceListRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.PriceListPageDocument,
    "\n  query OnePriceList($id: ID!) {\n    priceList(id: $id) {\n      ...PriceListRow\n      versions(first: 50) {\n        nodes {\n          number\n          size\n          validFrom\n        }\n      }\n    }\n  }\n": types.OnePriceListDocument,
    "\n  query PricesOfList($id: ID!, $begins: String!, $version: Int, $first: Int!) {\n    prices(listId: $id, begins: $begins, version: $version, first: $first) {\n      nodes {\n        channel\n        prefix\n        country\n        price\n        cost\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n": types.PricesOfListDocument,
    "\n  mutation CreatePriceList($input: NewPriceList!) {\n    createPriceList(input: $input) {\n      uuid\n    }\n  }\n": types.CreatePriceListDocument,
    "\n  mutation UpdatePriceList($id: ID!, $input: PriceListPatch!) {\n    updatePriceList(id: $id, input: $input) {\n      uuid\n    }\n  }\n": types.UpdatePriceListDocument,
    "\n  mutation DeletePriceList($id: ID!) {\n    deletePriceList(id: $id)\n  }\n": types.DeletePriceListDocument,
    "\n  mutation AddPriceListVersion($id: ID!, $input: NewPriceListVersion!) {\n    addPriceListVersion(id: $id, input: $input) {\n      number\n      size\n      validFrom\n    }\n  }\n": types.AddPriceListVersionDocument,
    "\n  mutation DeletePriceListVersion($id: ID!, $number: Int!) {\n    deletePriceListVersion(id: $id, number: $number)\n  }\n": types.DeletePriceListVersionDocument,
    "\n  fragment UserRow on User {\n    uuid\n    email\n    displayName\n    status\n    roles\n    createdAt\n  }\n": types.UserRowFragmentDoc,
    "\n  query UserPage($first: Int!, $after: String, $where: UserWhere, $count: Boolean!) {\n    users(first: $first, after: $after, where: $where) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n": types.UserPageDocument,
    "\n  query OneUser($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n      tariff {\n        code\n        name\n      }\n      accounts(first: 20) {\n        nodes {\n          uuid\n          name\n          balance\n          currency\n          lowBalance\n        }\n        totalCount\n      }\n    }\n  }\n": types.OneUserDocument,
    "\n  query TariffChoices {\n    tariffs(first: 100) {\n      nodes {\n        code\n        name\n      }\n    }\n  }\n": types.TariffChoicesDocument,
    "\n  mutation Invite($input: Invite!) {\n    inviteUser(input: $input) {\n      userId\n      token\n      expiresAt\n    }\n  }\n": types.InviteDocument,
    "\n  mutation MakeUser($input: NewUser!) {\n    createUser(input: $input) {\n      uuid\n    }\n  }\n": types.MakeUserDocument,
    "\n  mutation ChangeUser($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      ...UserRow\n    }\n  }\n": types.ChangeUserDocument,
    "\n  mutation Suspend($id: ID!) {\n    suspendUser(id: $id) {\n      ...UserRow\n    }\n  }\n": types.SuspendDocument,
    "\n  mutation Activate($id: ID!) {\n    activateUser(id: $id) {\n      ...UserRow\n    }\n  }\n": types.ActivateDocument,
    "\n  mutation DeleteUser($id: ID!) {\n    deleteUser(id: $id)\n  }\n": types.DeleteUserDocument,
    "\n  mutation GiveTariff($code: String!, $user: UUID!) {\n    setTariff(input: { code: $code, userUuid: $user }) {\n      code\n      name\n    }\n  }\n": types.GiveTariffDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitation!) {\n    acceptInvitation(input: $input) {\n      accessToken\n    }\n  }\n": types.AcceptInvitationDocument,
    "\n  mutation CreateFirstUser($input: FirstUser!) {\n    createFirstUser(input: $input) {\n      accessToken\n    }\n  }\n": types.CreateFirstUserDocument,
    "\n  mutation RequestPasswordReset($input: PasswordResetRequest!) {\n    requestPasswordReset(input: $input)\n  }\n": types.RequestPasswordResetDocument,
    "\n  mutation ResetPassword($input: NewPassword!) {\n    resetPassword(input: $input)\n  }\n": types.ResetPasswordDocument,
    "\n  query InvitedUser {\n    me {\n      email\n      uuid\n    }\n  }\n": types.InvitedUserDocument,
    "\n  mutation EndInvitedLogin {\n    logout\n  }\n": types.EndInvitedLoginDocument,
    "\n  fragment AuditRow on AuditEntry {\n    uuid\n    createdAt\n    ownerId\n    actorId\n    actorEmail\n    actorKind\n    actor @include(if: $actors) {\n      email\n    }\n    tokenId\n    operation\n    objectType\n    objectId\n    result\n    code\n    ip\n    changes\n  }\n": types.AuditRowFragmentDoc,
    "\n  query AuditPage($first: Int!, $after: String, $where: AuditEntryWhere, $actors: Boolean!) {\n    auditEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.AuditPageDocument,
    "\n  query Actors {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        uuid\n        userUuid\n        email\n      }\n    }\n  }\n": types.ActorsDocument,
    "\n  mutation UploadList($file: Upload!) {\n    uploadFile(file: $file) {\n      uuid\n      name\n      size\n    }\n  }\n": types.UploadListDocument,
    "\n  query ExportFiles($where: ExportLinkWhere!, $first: Int!) {\n    exportLinks(first: $first, where: $where) {\n      nodes {\n        uuid\n        source\n        status\n        statusReason\n        format\n        total\n        done\n        url\n        createdAt\n      }\n    }\n  }\n": types.ExportFilesDocument,
    "\n  mutation StartExport($input: StartExport!) {\n    startExport(input: $input) {\n      uuid\n      status\n    }\n  }\n": types.StartExportDocument,
    "\n  mutation CancelExport($id: ID!) {\n    cancelExport(id: $id) {\n      uuid\n      status\n    }\n  }\n": types.CancelExportDocument,
    "\n  query ExportColumns($source: String!) {\n    exportVariables(source: $source) {\n      name\n      label\n      example\n    }\n  }\n": types.ExportColumnsDocument,
    "\n  query OneImport($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      fileName\n      total\n      valid\n      invalid\n      duplicates\n      contacts {\n        created\n        changed\n        unchanged\n        subscribed\n        suppressed\n      }\n    }\n  }\n": types.OneImportDocument,
    "\n  query BadRows($id: ID!, $first: Int!, $after: String) {\n    recipientImport(id: $id) {\n      uuid\n      rows(first: $first, after: $after, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            code\n            message\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.BadRowsDocument,
    "\n  query Countries($language: String) {\n    countries(language: $language) {\n      code\n      name\n      dialCode\n    }\n  }\n": types.CountriesDocument,
    "\n  query SendingChannels {\n    sendingChannels {\n      channel\n      sandbox\n      setting\n    }\n  }\n": types.SendingChannelsDocument,
    "\n  query Permissions {\n    permissions {\n      name\n      description\n      presets\n      granted\n    }\n  }\n": types.PermissionsDocument,
    "\n  query SegmentChoices($where: SegmentWhere) {\n    newest: segments(first: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    oldest: segments(last: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n": types.SegmentChoicesDocument,
    "\n  query SenderDomains($where: DomainWhere!, $senders: SenderWhere!) {\n    domains(first: 100, where: $where) {\n      nodes {\n        name\n        status\n      }\n    }\n    senders(first: 100, where: $senders) {\n      nodes {\n        value\n      }\n    }\n  }\n": types.SenderDomainsDocument,
    "\n  query ApprovedSenders($where: SenderWhere!) {\n    senders(first: 100, where: $where) {\n      nodes {\n        value\n      }\n    }\n  }\n": types.ApprovedSendersDocument,
    "\n  query SenderChoice($to: String!, $sender: String) {\n    senderChoice(to: $to, sender: $sender) {\n      sender\n      kind\n      country\n      why\n    }\n  }\n": types.SenderChoiceDocument,
    "\n  mutation VerifySecondFactor($input: SecondFactorCode!) {\n    verifySecondFactor(input: $input) {\n      freshUntil\n    }\n  }\n": types.VerifySecondFactorDocument,
    "\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n": types.LogoutEverywhereDocument,
    "\n  fragment TopicRow on Topic {\n    uuid\n    key\n    name\n    description\n    category\n    optIn\n    public\n    position\n    translations {\n      locale\n      name\n      description\n    }\n  }\n": types.TopicRowFragmentDoc,
    "\n  query Topics($where: TopicWhere) {\n    topics(first: 100, where: $where, orderBy: { direction: asc }) {\n      nodes {\n        ...TopicRow\n      }\n    }\n  }\n": types.TopicsDocument,
    "\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n": types.QueueDocument,
    "\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n": types.QueueChangedDocument,
    "\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n": types.QueueFieldsFragmentDoc,
    "\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n    memberships {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n": types.ViewerDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AccountRow on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n    createdAt\n  }\n"): (typeof documents)["\n  fragment AccountRow on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n    createdAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AccountPage($first: Int!, $after: String, $where: AccountWhere, $count: Boolean!, $admin: Boolean!) {\n    accounts(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AccountRow\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n"): (typeof documents)["\n  query AccountPage($first: Int!, $after: String, $where: AccountWhere, $count: Boolean!, $admin: Boolean!) {\n    accounts(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AccountRow\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnerOf($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n"): (typeof documents)["\n  query OwnerOf($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneAccount($id: ID!, $admin: Boolean!) {\n    account(id: $id) {\n      ...AccountRow\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneAccount($id: ID!, $admin: Boolean!) {\n    account(id: $id) {\n      ...AccountRow\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LedgerPage(\n    $id: ID!\n    $first: Int!\n    $after: String\n    $where: LedgerWhere\n    $admin: Boolean!\n    $messages: Boolean!\n    $projects: Boolean!\n  ) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: $where) {\n        nodes {\n          uuid\n          kind\n          amount\n          note\n          entryCount\n          createdAt\n          projectId\n          projectCost {\n            cost\n            charged\n            refunded\n            entries\n          }\n          message @include(if: $messages) {\n            uuid\n            to\n            channel\n          }\n          sendingProject @include(if: $projects) {\n            uuid\n            name\n          }\n          creator @include(if: $admin) {\n            uuid\n            email\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query LedgerPage(\n    $id: ID!\n    $first: Int!\n    $after: String\n    $where: LedgerWhere\n    $admin: Boolean!\n    $messages: Boolean!\n    $projects: Boolean!\n  ) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: $where) {\n        nodes {\n          uuid\n          kind\n          amount\n          note\n          entryCount\n          createdAt\n          projectId\n          projectCost {\n            cost\n            charged\n            refunded\n            entries\n          }\n          message @include(if: $messages) {\n            uuid\n            to\n            channel\n          }\n          sendingProject @include(if: $projects) {\n            uuid\n            name\n          }\n          creator @include(if: $admin) {\n            uuid\n            email\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectEntries($id: ID!, $project: String!, $first: Int!, $after: String) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: { projectId: { eq: $project } }) {\n        nodes {\n          uuid\n          kind\n          amount\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query ProjectEntries($id: ID!, $project: String!, $first: Int!, $after: String) {\n    account(id: $id) {\n      uuid\n      ledger(first: $first, after: $after, where: { projectId: { eq: $project } }) {\n        nodes {\n          uuid\n          kind\n          amount\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription AccountMoved($id: ID!) {\n    messageStatusChanged(accountId: $id) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  subscription AccountMoved($id: ID!) {\n    messageStatusChanged(accountId: $id) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OpenAccount($input: NewAccount!) {\n    createAccount(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation OpenAccount($input: NewAccount!) {\n    createAccount(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeAccount($id: ID!, $input: AccountPatch!) {\n    updateAccount(id: $id, input: $input) {\n      ...AccountRow\n    }\n  }\n"): (typeof documents)["\n  mutation ChangeAccount($id: ID!, $input: AccountPatch!) {\n    updateAccount(id: $id, input: $input) {\n      ...AccountRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetLowBalance($id: ID!, $below: Decimal) {\n    setLowBalance(id: $id, below: $below) {\n      ...AccountRow\n    }\n  }\n"): (typeof documents)["\n  mutation SetLowBalance($id: ID!, $below: Decimal) {\n    setLowBalance(id: $id, below: $below) {\n      ...AccountRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreditAccount($input: Credit!) {\n    creditAccount(input: $input) {\n      ...AccountRow\n    }\n  }\n"): (typeof documents)["\n  mutation CreditAccount($input: Credit!) {\n    creditAccount(input: $input) {\n      ...AccountRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Currencies($language: String!) {\n    currencies(language: $language) {\n      code\n      name\n    }\n  }\n"): (typeof documents)["\n  query Currencies($language: String!) {\n    currencies(language: $language) {\n      code\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BlockPage($first: Int!, $after: String, $where: BlockedPhoneWhere) {\n    blockedPhones(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        phone\n        reason\n        scope\n        expiresAt\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query BlockPage($first: Int!, $after: String, $where: BlockedPhoneWhere) {\n    blockedPhones(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        phone\n        reason\n        scope\n        expiresAt\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BlockGroups {\n    blockedPhoneSummary {\n      items {\n        reason\n        scope\n        count\n        newestAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query BlockGroups {\n    blockedPhoneSummary {\n      items {\n        reason\n        scope\n        count\n        newestAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Block($phone: String!, $input: BlockPhone) {\n    blockPhone(phone: $phone, input: $input) {\n      uuid\n      phone\n      reason\n      scope\n      expiresAt\n      createdAt\n    }\n  }\n"): (typeof documents)["\n  mutation Block($phone: String!, $input: BlockPhone) {\n    blockPhone(phone: $phone, input: $input) {\n      uuid\n      phone\n      reason\n      scope\n      expiresAt\n      createdAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BlockPhones($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      nextLine\n      invalid {\n        place\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation BlockPhones($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      nextLine\n      invalid {\n        place\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnblockPhones($input: UnblockMany!) {\n    unblockPhones(input: $input) {\n      removed\n    }\n  }\n"): (typeof documents)["\n  mutation UnblockPhones($input: UnblockMany!) {\n    unblockPhones(input: $input) {\n      removed\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReadBlockFile($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation ReadBlockFile($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BlockFile($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      total\n      valid\n      invalid\n      rows(first: 5, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            message\n          }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query BlockFile($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      total\n      valid\n      invalid\n      rows(first: 5, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            message\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ForgetBlockFile($id: ID!, $file: ID!) {\n    deleteRecipientImport(id: $id)\n    deleteFile(id: $file)\n  }\n"): (typeof documents)["\n  mutation ForgetBlockFile($id: ID!, $file: ID!) {\n    deleteRecipientImport(id: $id)\n    deleteFile(id: $file)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ContactSubscriptions($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query ContactSubscriptions($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConsentHistory($first: Int!, $after: String, $where: ConsentEntryWhere) {\n    consentEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        action\n        source\n        text\n        evidence\n        ip\n        userAgent\n        createdAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query ConsentHistory($first: Int!, $after: String, $where: ConsentEntryWhere) {\n    consentEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        action\n        source\n        text\n        evidence\n        ip\n        userAgent\n        createdAt\n        topic {\n          uuid\n          name\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SubscribeContacts($input: SubscribeContacts!) {\n    subscribeContacts(input: $input) {\n      active\n      pending\n      unchanged\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation SubscribeContacts($input: SubscribeContacts!) {\n    subscribeContacts(input: $input) {\n      active\n      pending\n      unchanged\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnsubscribeContacts($input: UnsubscribeContacts!) {\n    unsubscribeContacts(input: $input) {\n      withdrawn\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation UnsubscribeContacts($input: UnsubscribeContacts!) {\n    unsubscribeContacts(input: $input) {\n      withdrawn\n      invalid {\n        contactUuid\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ContactPage($first: Int!, $after: String, $where: ContactWhere, $orderBy: ContactOrder) {\n    contacts(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        externalId\n        addresses {\n          channel\n          address\n        }\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query ContactPage($first: Int!, $after: String, $where: ContactWhere, $orderBy: ContactOrder) {\n    contacts(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        externalId\n        addresses {\n          channel\n          address\n        }\n        createdAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ContactFields {\n    contactFields(first: 100, orderBy: { direction: asc }) {\n      nodes {\n        uuid\n        key\n        type\n        label\n      }\n    }\n  }\n"): (typeof documents)["\n  query ContactFields {\n    contactFields(first: 100, orderBy: { direction: asc }) {\n      nodes {\n        uuid\n        key\n        type\n        label\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneContact($id: ID!) {\n    contact(id: $id) {\n      uuid\n      name\n      externalId\n      locale\n      timezone\n      fields\n      addresses {\n        channel\n        address\n        primary\n        verifiedAt\n      }\n      createdAt\n      updatedAt\n    }\n  }\n"): (typeof documents)["\n  query OneContact($id: ID!) {\n    contact(id: $id) {\n      uuid\n      name\n      externalId\n      locale\n      timezone\n      fields\n      addresses {\n        channel\n        address\n        primary\n        verifiedAt\n      }\n      createdAt\n      updatedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ContactTimeline($id: ID!, $first: Int!, $after: String) {\n    contactTimeline(contactId: $id, first: $first, after: $after) {\n      nodes {\n        uuid: objectUuid\n        kind\n        at\n        channel\n        address\n        direction\n        status\n        text\n        projectUuid\n        accountUuid\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query ContactTimeline($id: ID!, $first: Int!, $after: String) {\n    contactTimeline(contactId: $id, first: $first, after: $after) {\n      nodes {\n        uuid: objectUuid\n        kind\n        at\n        channel\n        address\n        direction\n        status\n        text\n        projectUuid\n        accountUuid\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FindContact($address: String!) {\n    contacts(first: 1, where: { address: { eq: $address } }) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query FindContact($address: String!) {\n    contacts(first: 1, where: { address: { eq: $address } }) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpsertContact($input: UpsertContact!) {\n    upsertContact(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpsertContact($input: UpsertContact!) {\n    upsertContact(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateContact($id: ID!, $input: ContactPatch!) {\n    updateContact(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateContact($id: ID!, $input: ContactPatch!) {\n    updateContact(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MergeContacts($id: ID!, $input: MergeContact!) {\n    mergeContacts(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation MergeContacts($id: ID!, $input: MergeContact!) {\n    mergeContacts(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteContact($id: ID!) {\n    deleteContact(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteContact($id: ID!) {\n    deleteContact(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateContactField($input: NewContactField!) {\n    createContactField(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateContactField($input: NewContactField!) {\n    createContactField(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Erasures($first: Int!, $after: String, $where: ErasureWhere) {\n    erasures(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        state\n        stateReason\n        contactId\n        requestedBy\n        counts\n        createdAt\n        finishedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query Erasures($first: Int!, $after: String, $where: ErasureWhere) {\n    erasures(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        state\n        stateReason\n        contactId\n        requestedBy\n        counts\n        createdAt\n        finishedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneErasure($id: ID!) {\n    erasure(id: $id) {\n      uuid\n      deleted {\n        subjectId\n        name\n      }\n      notErased {\n        kind\n        reason\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneErasure($id: ID!) {\n    erasure(id: $id) {\n      uuid\n      deleted {\n        subjectId\n        name\n      }\n      notErased {\n        kind\n        reason\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ErasePerson($input: ErasePerson!) {\n    erasePerson(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation ErasePerson($input: ErasePerson!) {\n    erasePerson(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SignupFormRow on SignupForm {\n    uuid\n    name\n    topicUuids\n    text\n    from\n    redirectUrl\n    enabled\n  }\n"): (typeof documents)["\n  fragment SignupFormRow on SignupForm {\n    uuid\n    name\n    topicUuids\n    text\n    from\n    redirectUrl\n    enabled\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SignupForms($where: SignupFormWhere) {\n    signupForms(first: 100, where: $where) {\n      nodes {\n        ...SignupFormRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query SignupForms($where: SignupFormWhere) {\n    signupForms(first: 100, where: $where) {\n      nodes {\n        ...SignupFormRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateSignupForm($input: NewSignupForm!) {\n    createSignupForm(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateSignupForm($input: NewSignupForm!) {\n    createSignupForm(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSignupForm($id: ID!, $input: SignupFormPatch!) {\n    updateSignupForm(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateSignupForm($id: ID!, $input: SignupFormPatch!) {\n    updateSignupForm(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteSignupForm($id: ID!) {\n    deleteSignupForm(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteSignupForm($id: ID!) {\n    deleteSignupForm(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreviewContacts($input: NewContactImport!) {\n    previewContactImport(input: $input) {\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n"): (typeof documents)["\n  query PreviewContacts($input: NewContactImport!) {\n    previewContactImport(input: $input) {\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportContacts($input: NewContactImport!) {\n    importContacts(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation ImportContacts($input: NewContactImport!) {\n    importContacts(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SegmentRow on Segment {\n    uuid\n    name\n    filter\n    size\n    countedAt\n  }\n"): (typeof documents)["\n  fragment SegmentRow on Segment {\n    uuid\n    name\n    filter\n    size\n    countedAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SegmentPage($first: Int!, $after: String, $where: SegmentWhere) {\n    segments(first: $first, after: $after, where: $where) {\n      nodes {\n        ...SegmentRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query SegmentPage($first: Int!, $after: String, $where: SegmentWhere) {\n    segments(first: $first, after: $after, where: $where) {\n      nodes {\n        ...SegmentRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TrySegment($input: PreviewSegment!) {\n    segmentPreview(input: $input) {\n      size\n      sample {\n        uuid\n        name\n        addresses {\n          address\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query TrySegment($input: PreviewSegment!) {\n    segmentPreview(input: $input) {\n      size\n      sample {\n        uuid\n        name\n        addresses {\n          address\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SegmentProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 50, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 100, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query SegmentProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 50, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 100, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateSegment($input: NewSegment!) {\n    createSegment(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateSegment($input: NewSegment!) {\n    createSegment(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSegment($id: ID!, $input: SegmentPatch!) {\n    updateSegment(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateSegment($id: ID!, $input: SegmentPatch!) {\n    updateSegment(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CountSegment($id: ID!) {\n    countSegment(id: $id) {\n      ...SegmentRow\n    }\n  }\n"): (typeof documents)["\n  mutation CountSegment($id: ID!) {\n    countSegment(id: $id) {\n      ...SegmentRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteSegment($id: ID!) {\n    deleteSegment(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteSegment($id: ID!) {\n    deleteSegment(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneTopic($id: ID!) {\n    topic(id: $id) {\n      ...TopicRow\n    }\n  }\n"): (typeof documents)["\n  query OneTopic($id: ID!) {\n    topic(id: $id) {\n      ...TopicRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateTopic($input: NewTopic!) {\n    createTopic(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateTopic($input: NewTopic!) {\n    createTopic(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateTopic($id: ID!, $input: TopicPatch!) {\n    updateTopic(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateTopic($id: ID!, $input: TopicPatch!) {\n    updateTopic(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteTopic($id: ID!) {\n    deleteTopic(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteTopic($id: ID!) {\n    deleteTopic(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Subscribers($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        contact {\n          uuid\n          name\n          externalId\n          addresses {\n            channel\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query Subscribers($first: Int!, $after: String, $where: TopicSubscriptionWhere) {\n    topicSubscriptions(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        state\n        changedAt\n        contact {\n          uuid\n          name\n          externalId\n          addresses {\n            channel\n            address\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreferencesPreview($locale: String) {\n    preferencesPreview(locale: $locale) {\n      html\n      languages\n    }\n    me {\n      uuid\n      selfService\n    }\n  }\n"): (typeof documents)["\n  query PreferencesPreview($locale: String) {\n    preferencesPreview(locale: $locale) {\n      html\n      languages\n    }\n    me {\n      uuid\n      selfService\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SaveSelfService($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      selfService\n    }\n  }\n"): (typeof documents)["\n  mutation SaveSelfService($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      selfService\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment CountryRuleFields on CountryRule {\n    allow\n    deny\n    perHour\n    perDay\n  }\n"): (typeof documents)["\n  fragment CountryRuleFields on CountryRule {\n    allow\n    deny\n    perHour\n    perDay\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CountryRulesPage($user: ID) {\n    countryRules(userUuid: $user) {\n      installation {\n        ...CountryRuleFields\n      }\n      own {\n        ...CountryRuleFields\n      }\n      effective {\n        ...CountryRuleFields\n      }\n      limited {\n        ownerUuid\n        country\n        cap\n        until\n        createdAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query CountryRulesPage($user: ID) {\n    countryRules(userUuid: $user) {\n      installation {\n        ...CountryRuleFields\n      }\n      own {\n        ...CountryRuleFields\n      }\n      effective {\n        ...CountryRuleFields\n      }\n      limited {\n        ownerUuid\n        country\n        cap\n        until\n        createdAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CountryUser($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n"): (typeof documents)["\n  query CountryUser($id: ID!) {\n    user(id: $id) {\n      uuid\n      email\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SaveCountryRules($input: SetCountryRules!) {\n    setCountryRules(input: $input) {\n      own {\n        ...CountryRuleFields\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation SaveCountryRules($input: SetCountryRules!) {\n    setCountryRules(input: $input) {\n      own {\n        ...CountryRuleFields\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CheckCountry($to: String!, $user: ID) {\n    checkCountry(to: $to, userUuid: $user) {\n      to\n      country\n      allowed\n      refusedBy\n      leftThisHour\n      leftToday\n    }\n  }\n"): (typeof documents)["\n  query CheckCountry($to: String!, $user: ID) {\n    checkCountry(to: $to, userUuid: $user) {\n      to\n      country\n      allowed\n      refusedBy\n      leftThisHour\n      leftToday\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DeliverabilityByProvider($from: DateTime!) {\n    deliverability(dateFrom: $from) {\n      degraded {\n        providerClass\n        accepted\n        policy\n        complaints\n        createdAt\n      }\n      items {\n        providerClass\n        accepted\n        deferred\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        complaints\n        rescued\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n    deliverabilityByProject(dateFrom: $from) {\n      items {\n        sendingProjectUuid\n        name\n        from\n        accepted\n        bounced\n        complaints\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n  }\n"): (typeof documents)["\n  query DeliverabilityByProvider($from: DateTime!) {\n    deliverability(dateFrom: $from) {\n      degraded {\n        providerClass\n        accepted\n        policy\n        complaints\n        createdAt\n      }\n      items {\n        providerClass\n        accepted\n        deferred\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        complaints\n        rescued\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n    deliverabilityByProject(dateFrom: $from) {\n      items {\n        sendingProjectUuid\n        name\n        from\n        accepted\n        bounced\n        complaints\n        bounceRate\n        complaintRate\n        complaintLevel\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FeedState {\n    eventFeed {\n      recording\n      recordingSince\n      count\n      limit\n      nearlyFull\n      retentionDays\n      oldest\n      newest\n    }\n    eventTypes {\n      type\n      subject\n      data\n      when\n    }\n  }\n"): (typeof documents)["\n  query FeedState {\n    eventFeed {\n      recording\n      recordingSince\n      count\n      limit\n      nearlyFull\n      retentionDays\n      oldest\n      newest\n    }\n    eventTypes {\n      type\n      subject\n      data\n      when\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription WatchEvents($after: String, $types: [String!]) {\n    events(after: $after, types: $types) {\n      uuid\n      cursor\n      type\n      at\n      subject\n      subjectId\n      sendingProjectUuid\n      accountId\n      data\n    }\n  }\n"): (typeof documents)["\n  subscription WatchEvents($after: String, $types: [String!]) {\n    events(after: $after, types: $types) {\n      uuid\n      cursor\n      type\n      at\n      subject\n      subjectId\n      sendingProjectUuid\n      accountId\n      data\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EnableEvents {\n    enableEvents {\n      recording\n    }\n  }\n"): (typeof documents)["\n  mutation EnableEvents {\n    enableEvents {\n      recording\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DisableEvents {\n    disableEvents\n  }\n"): (typeof documents)["\n  mutation DisableEvents {\n    disableEvents\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HookSecrets($first: Int!, $where: HookSecretWhere) {\n    hookSecrets(first: $first, where: $where) {\n      nodes {\n        uuid\n        kind\n        hint\n        createdAt\n        createdBy\n        lastUsedAt\n        revokedAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query HookSecrets($first: Int!, $where: HookSecretWhere) {\n    hookSecrets(first: $first, where: $where) {\n      nodes {\n        uuid\n        kind\n        hint\n        createdAt\n        createdBy\n        lastUsedAt\n        revokedAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateHookSecret {\n    rotateHookSecret {\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation RotateHookSecret {\n    rotateHookSecret {\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateHookKey {\n    createHookKey {\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation CreateHookKey {\n    createHookKey {\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeHookSecret($id: ID!) {\n    revokeHookSecret(id: $id) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation RevokeHookSecret($id: ID!) {\n    revokeHookSecret(id: $id) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HookMakers {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        userUuid\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query HookMakers {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        userUuid\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProviderRoutes {\n    queueStatistics {\n      routes {\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query ProviderRoutes {\n    queueStatistics {\n      routes {\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TokenRow on ApiToken {\n    uuid\n    name\n    hint\n    createdAt\n    expiresAt\n    revokedAt\n    scopes\n    networks\n    accountIds\n    spendPerDay\n    lastUsedAt\n    lastUsedIp\n    lastRefusedAt\n    lastRefusal\n  }\n"): (typeof documents)["\n  fragment TokenRow on ApiToken {\n    uuid\n    name\n    hint\n    createdAt\n    expiresAt\n    revokedAt\n    scopes\n    networks\n    accountIds\n    spendPerDay\n    lastUsedAt\n    lastUsedIp\n    lastRefusedAt\n    lastRefusal\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PayingAccounts {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n"): (typeof documents)["\n  query PayingAccounts {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Tokens($first: Int!, $after: String, $where: ApiTokenWhere) {\n    apiTokens(first: $first, after: $after, where: $where) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query Tokens($first: Int!, $after: String, $where: ApiTokenWhere) {\n    apiTokens(first: $first, after: $after, where: $where) {\n      nodes {\n        ...TokenRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateToken($input: NewApiToken!) {\n    createApiToken(input: $input) {\n      token\n      apiToken {\n        uuid\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateToken($input: NewApiToken!) {\n    createApiToken(input: $input) {\n      token\n      apiToken {\n        uuid\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeToken($id: ID!, $input: ApiTokenPatch!) {\n    updateApiToken(id: $id, input: $input) {\n      uuid\n      name\n    }\n  }\n"): (typeof documents)["\n  mutation ChangeToken($id: ID!, $input: ApiTokenPatch!) {\n    updateApiToken(id: $id, input: $input) {\n      uuid\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeToken($id: ID!, $keepWebhooks: Boolean!) {\n    revokeApiToken(id: $id, keepWebhooks: $keepWebhooks) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation RevokeToken($id: ID!, $keepWebhooks: Boolean!) {\n    revokeApiToken(id: $id, keepWebhooks: $keepWebhooks) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Hooks($first: Int!, $ofFeed: Boolean!, $ofAccounts: Boolean!) {\n    webhooks(first: $first) @include(if: $ofFeed) {\n      nodes {\n        ...Hook\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messengerAccounts(first: $first) @include(if: $ofAccounts) {\n      nodes {\n        uuid\n        webhooks(first: 10) {\n          nodes {\n            ...Hook\n          }\n          pageInfo {\n            hasNextPage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n  fragment Hook on Webhook {\n    uuid\n    url\n    enabled\n    disabledReason\n    failures\n    nextAt\n    lastError\n    lastStatus\n    deliveredAt\n    query\n    batch\n    sendingProjectUuid\n    payingAccountId\n    messengerAccountUuid\n    missed\n    createdAt\n    events\n    types\n    replaying\n    waiting\n    dead\n    account {\n      uuid\n      source\n      login\n      name\n    }\n  }\n"): (typeof documents)["\n  query Hooks($first: Int!, $ofFeed: Boolean!, $ofAccounts: Boolean!) {\n    webhooks(first: $first) @include(if: $ofFeed) {\n      nodes {\n        ...Hook\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messengerAccounts(first: $first) @include(if: $ofAccounts) {\n      nodes {\n        uuid\n        webhooks(first: 10) {\n          nodes {\n            ...Hook\n          }\n          pageInfo {\n            hasNextPage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n  fragment Hook on Webhook {\n    uuid\n    url\n    enabled\n    disabledReason\n    failures\n    nextAt\n    lastError\n    lastStatus\n    deliveredAt\n    query\n    batch\n    sendingProjectUuid\n    payingAccountId\n    messengerAccountUuid\n    missed\n    createdAt\n    events\n    types\n    replaying\n    waiting\n    dead\n    account {\n      uuid\n      source\n      login\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneHook($id: ID!) {\n    webhook(id: $id) {\n      ...Hook\n    }\n  }\n"): (typeof documents)["\n  query OneHook($id: ID!) {\n    webhook(id: $id) {\n      ...Hook\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HookChoices($projects: Boolean!, $accounts: Boolean!, $messengers: Boolean!) {\n    eventTypes {\n      type\n    }\n    sendingProjects(first: 50) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n    messengerAccounts(first: 50) @include(if: $messengers) {\n      nodes {\n        uuid\n        source\n        login\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query HookChoices($projects: Boolean!, $accounts: Boolean!, $messengers: Boolean!) {\n    eventTypes {\n      type\n    }\n    sendingProjects(first: 50) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n      }\n    }\n    messengerAccounts(first: 50) @include(if: $messengers) {\n      nodes {\n        uuid\n        source\n        login\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateHook($input: NewEventWebhook!) {\n    createWebhook(input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation CreateHook($input: NewEventWebhook!) {\n    createWebhook(input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddHook($account: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $account, input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation AddHook($account: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $account, input: $input) {\n      webhook {\n        uuid\n      }\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeHook($id: ID!, $input: WebhookPatch!) {\n    updateWebhook(id: $id, input: $input) {\n      ...Hook\n    }\n  }\n"): (typeof documents)["\n  mutation ChangeHook($id: ID!, $input: WebhookPatch!) {\n    updateWebhook(id: $id, input: $input) {\n      ...Hook\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteHook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteHook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestHook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      answer\n      seconds\n      body\n    }\n  }\n"): (typeof documents)["\n  mutation TestHook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      answer\n      seconds\n      body\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateHookSigning($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation RotateHookSigning($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplayHook($id: ID!, $input: WebhookReplay!) {\n    replayWebhook(id: $id, input: $input)\n  }\n"): (typeof documents)["\n  mutation ReplayHook($id: ID!, $input: WebhookReplay!) {\n    replayWebhook(id: $id, input: $input)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplayDead($id: ID!, $letters: [ID!]) {\n    replayDeadLetters(webhookId: $id, ids: $letters)\n  }\n"): (typeof documents)["\n  mutation ReplayDead($id: ID!, $letters: [ID!]) {\n    replayDeadLetters(webhookId: $id, ids: $letters)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreviewHook($input: WebhookPreview!) {\n    previewWebhook(input: $input) {\n      eventId\n      type\n      body\n      bytes\n      cost\n    }\n  }\n"): (typeof documents)["\n  query PreviewHook($input: WebhookPreview!) {\n    previewWebhook(input: $input) {\n      eventId\n      type\n      body\n      bytes\n      cost\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HookDeliveries($id: ID!, $first: Int!, $after: String, $where: WebhookDeliveryWhere) {\n    webhookDeliveries(webhookId: $id, first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        type\n        state\n        attempts\n        nextAt\n        lastError\n        lastStatus\n        seconds\n        replayed\n        createdAt\n        deliveredAt\n        deadAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query HookDeliveries($id: ID!, $first: Int!, $after: String, $where: WebhookDeliveryWhere) {\n    webhookDeliveries(webhookId: $id, first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        type\n        state\n        attempts\n        nextAt\n        lastError\n        lastStatus\n        seconds\n        replayed\n        createdAt\n        deliveredAt\n        deadAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneDelivery($id: ID!) {\n    webhookDelivery(id: $id) {\n      uuid\n      eventId\n      type\n      state\n      attempts\n      nextAt\n      lastError\n      lastStatus\n      answer\n      seconds\n      failedAttempts {\n        at\n        status\n        error\n        seconds\n      }\n      replayed\n      createdAt\n      deliveredAt\n      deadAt\n      body\n    }\n  }\n"): (typeof documents)["\n  query OneDelivery($id: ID!) {\n    webhookDelivery(id: $id) {\n      uuid\n      eventId\n      type\n      state\n      attempts\n      nextAt\n      lastError\n      lastStatus\n      answer\n      seconds\n      failedAttempts {\n        at\n        status\n        error\n        seconds\n      }\n      replayed\n      createdAt\n      deliveredAt\n      deadAt\n      body\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TryHookNow($id: ID!) {\n    tryWebhookNow(id: $id) {\n      uuid\n      failures\n      nextAt\n    }\n  }\n"): (typeof documents)["\n  mutation TryHookNow($id: ID!) {\n    tryWebhookNow(id: $id) {\n      uuid\n      failures\n      nextAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DomainPage($first: Int!, $after: String, $where: DomainWhere, $admin: Boolean!) {\n    domains(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        name\n        status\n        checkedAt\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query DomainPage($first: Int!, $after: String, $where: DomainWhere, $admin: Boolean!) {\n    domains(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        name\n        status\n        checkedAt\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneDomain($id: ID!, $admin: Boolean!) {\n    domain(id: $id) {\n      uuid\n      name\n      status\n      records {\n        purpose\n        name\n        type\n        value\n        selector\n        state\n      }\n      verifiedAt\n      checkedAt\n      lostAt\n      problem\n      createdAt\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneDomain($id: ID!, $admin: Boolean!) {\n    domain(id: $id) {\n      uuid\n      name\n      status\n      records {\n        purpose\n        name\n        type\n        value\n        selector\n        state\n      }\n      verifiedAt\n      checkedAt\n      lostAt\n      problem\n      createdAt\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment FindingFields on DomainFinding {\n    topic\n    state\n    text\n    recordName\n    recordValue\n  }\n"): (typeof documents)["\n  fragment FindingFields on DomainFinding {\n    topic\n    state\n    text\n    recordName\n    recordValue\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DomainFindings($id: ID!) {\n    domainFindings(id: $id) {\n      ...FindingFields\n    }\n  }\n"): (typeof documents)["\n  query DomainFindings($id: ID!) {\n    domainFindings(id: $id) {\n      ...FindingFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DomainCheck($domain: String!, $selector: String) {\n    domainCheck(domain: $domain, selector: $selector) {\n      ...FindingFields\n    }\n  }\n"): (typeof documents)["\n  query DomainCheck($domain: String!, $selector: String) {\n    domainCheck(domain: $domain, selector: $selector) {\n      ...FindingFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateDomain($input: NewDomain!) {\n    createDomain(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateDomain($input: NewDomain!) {\n    createDomain(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      uuid\n      status\n    }\n  }\n"): (typeof documents)["\n  mutation VerifyDomain($id: ID!) {\n    verifyDomain(id: $id) {\n      uuid\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateDomainKey($id: ID!) {\n    rotateDomainKey(id: $id) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation RotateDomainKey($id: ID!) {\n    rotateDomainKey(id: $id) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteDomain($id: ID!) {\n    deleteDomain(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventSinkPage($first: Int!, $after: String, $owner: Boolean!) {\n    eventSinks(first: $first, after: $after) {\n      nodes {\n        ...Sink\n        owner @include(if: $owner) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n  fragment Sink on EventSink {\n    uuid\n    ownerId\n    name\n    url\n    stream\n    subject\n    makeStream\n    replicas\n    duplicateWindowSeconds\n    types\n    query\n    enabled\n    disabledReason\n    failures\n    failingSince\n    lastError\n    nextAt\n    publishedAt\n    status {\n      lag\n      ratePerSecond\n      published\n      missed\n      replaying\n    }\n  }\n"): (typeof documents)["\n  query EventSinkPage($first: Int!, $after: String, $owner: Boolean!) {\n    eventSinks(first: $first, after: $after) {\n      nodes {\n        ...Sink\n        owner @include(if: $owner) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n  fragment Sink on EventSink {\n    uuid\n    ownerId\n    name\n    url\n    stream\n    subject\n    makeStream\n    replicas\n    duplicateWindowSeconds\n    types\n    query\n    enabled\n    disabledReason\n    failures\n    failingSince\n    lastError\n    nextAt\n    publishedAt\n    status {\n      lag\n      ratePerSecond\n      published\n      missed\n      replaying\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventSinkTypes {\n    eventTypes {\n      type\n    }\n  }\n"): (typeof documents)["\n  query EventSinkTypes {\n    eventTypes {\n      type\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateEventSink($input: NewEventSink!) {\n    createEventSink(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateEventSink($input: NewEventSink!) {\n    createEventSink(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeEventSink($id: ID!, $input: EventSinkPatch!) {\n    updateEventSink(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation ChangeEventSink($id: ID!, $input: EventSinkPatch!) {\n    updateEventSink(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteEventSink($id: ID!) {\n    deleteEventSink(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteEventSink($id: ID!) {\n    deleteEventSink(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestEventSink($id: ID!) {\n    testEventSink(id: $id) {\n      acknowledged\n      error\n      subject\n      sequence\n      seconds\n    }\n  }\n"): (typeof documents)["\n  mutation TestEventSink($id: ID!) {\n    testEventSink(id: $id) {\n      acknowledged\n      error\n      subject\n      sequence\n      seconds\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplayEventSink($id: ID!, $input: EventSinkReplay!) {\n    replayEventSink(id: $id, input: $input)\n  }\n"): (typeof documents)["\n  mutation ReplayEventSink($id: ID!, $input: EventSinkReplay!) {\n    replayEventSink(id: $id, input: $input)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FilePage(\n    $first: Int!\n    $after: String\n    $where: FileWhere\n    $orderBy: FileOrder\n    $admin: Boolean!\n    $imports: Boolean!\n    $exports: Boolean!\n  ) {\n    files(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        mime\n        size\n        createdAt\n        url\n        imports(first: 1) @include(if: $imports) {\n          nodes {\n            uuid\n            status\n            valid\n          }\n        }\n        exports(first: 1) @include(if: $exports) {\n          nodes {\n            uuid\n            source\n            sendingProject {\n              uuid\n              name\n            }\n          }\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query FilePage(\n    $first: Int!\n    $after: String\n    $where: FileWhere\n    $orderBy: FileOrder\n    $admin: Boolean!\n    $imports: Boolean!\n    $exports: Boolean!\n  ) {\n    files(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        uuid\n        name\n        mime\n        size\n        createdAt\n        url\n        imports(first: 1) @include(if: $imports) {\n          nodes {\n            uuid\n            status\n            valid\n          }\n        }\n        exports(first: 1) @include(if: $exports) {\n          nodes {\n            uuid\n            source\n            sendingProject {\n              uuid\n              name\n            }\n          }\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InboxAnswer on CannedAnswer {\n    uuid\n    shortcut\n    text\n  }\n"): (typeof documents)["\n  fragment InboxAnswer on CannedAnswer {\n    uuid\n    shortcut\n    text\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxAnswers($first: Int!, $after: String, $where: CannedAnswerWhere) {\n    cannedAnswers(first: $first, after: $after, where: $where) {\n      nodes {\n        ...InboxAnswer\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxAnswers($first: Int!, $after: String, $where: CannedAnswerWhere) {\n    cannedAnswers(first: $first, after: $after, where: $where) {\n      nodes {\n        ...InboxAnswer\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxNewAnswer($input: NewCannedAnswer!) {\n    createCannedAnswer(input: $input) {\n      ...InboxAnswer\n    }\n  }\n"): (typeof documents)["\n  mutation InboxNewAnswer($input: NewCannedAnswer!) {\n    createCannedAnswer(input: $input) {\n      ...InboxAnswer\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxChangeAnswer($id: ID!, $input: CannedAnswerPatch!) {\n    updateCannedAnswer(id: $id, input: $input) {\n      ...InboxAnswer\n    }\n  }\n"): (typeof documents)["\n  mutation InboxChangeAnswer($id: ID!, $input: CannedAnswerPatch!) {\n    updateCannedAnswer(id: $id, input: $input) {\n      ...InboxAnswer\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxDeleteAnswer($id: ID!) {\n    deleteCannedAnswer(id: $id)\n  }\n"): (typeof documents)["\n  mutation InboxDeleteAnswer($id: ID!) {\n    deleteCannedAnswer(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InboxAccount on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    state\n    next\n  }\n"): (typeof documents)["\n  fragment InboxAccount on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    state\n    next\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InboxChat on MessengerChat {\n    uuid\n    accountId\n    thread\n    kind\n    name\n    phone\n    username\n    unread\n    lastAt\n    closedAt\n    labels {\n      ...InboxLabel\n    }\n  }\n"): (typeof documents)["\n  fragment InboxChat on MessengerChat {\n    uuid\n    accountId\n    thread\n    kind\n    name\n    phone\n    username\n    unread\n    lastAt\n    closedAt\n    labels {\n      ...InboxLabel\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InboxMessage on MessengerMessage {\n    uuid\n    from\n    name\n    at\n    editedAt\n    deletedAt\n    text\n    outgoing\n    replyTo\n    content {\n      type\n      src\n      filename\n      mime\n      size\n    }\n    reactions {\n      from\n      emoji\n    }\n    status\n    failureCode\n    failureReason\n  }\n"): (typeof documents)["\n  fragment InboxMessage on MessengerMessage {\n    uuid\n    from\n    name\n    at\n    editedAt\n    deletedAt\n    text\n    outgoing\n    replyTo\n    content {\n      type\n      src\n      filename\n      mime\n      size\n    }\n    reactions {\n      from\n      emoji\n    }\n    status\n    failureCode\n    failureReason\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InboxNote on ChatNote {\n    uuid\n    text\n    createdAt\n    authorId\n    author @include(if: $authors) {\n      displayName\n      email\n    }\n  }\n"): (typeof documents)["\n  fragment InboxNote on ChatNote {\n    uuid\n    text\n    createdAt\n    authorId\n    author @include(if: $authors) {\n      displayName\n      email\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxNotes($chat: ID!, $first: Int!, $authors: Boolean!) {\n    messengerChat(id: $chat) {\n      uuid\n      notes(first: $first) {\n        nodes {\n          ...InboxNote\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxNotes($chat: ID!, $first: Int!, $authors: Boolean!) {\n    messengerChat(id: $chat) {\n      uuid\n      notes(first: $first) {\n        nodes {\n          ...InboxNote\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxNewNote($chat: ID!, $text: String!, $authors: Boolean!) {\n    createChatNote(chatId: $chat, input: { text: $text }) {\n      ...InboxNote\n    }\n  }\n"): (typeof documents)["\n  mutation InboxNewNote($chat: ID!, $text: String!, $authors: Boolean!) {\n    createChatNote(chatId: $chat, input: { text: $text }) {\n      ...InboxNote\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxDeleteNote($id: ID!) {\n    deleteChatNote(id: $id)\n  }\n"): (typeof documents)["\n  mutation InboxDeleteNote($id: ID!) {\n    deleteChatNote(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxClose($id: ID!, $upTo: ID) {\n    closeMessengerChat(id: $id, upTo: $upTo) {\n      ...InboxChat\n    }\n  }\n"): (typeof documents)["\n  mutation InboxClose($id: ID!, $upTo: ID) {\n    closeMessengerChat(id: $id, upTo: $upTo) {\n      ...InboxChat\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxReopen($id: ID!) {\n    reopenMessengerChat(id: $id) {\n      ...InboxChat\n    }\n  }\n"): (typeof documents)["\n  mutation InboxReopen($id: ID!) {\n    reopenMessengerChat(id: $id) {\n      ...InboxChat\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxAccounts {\n    messengerAccounts(first: 100) {\n      nodes {\n        ...InboxAccount\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxAccounts {\n    messengerAccounts(first: 100) {\n      nodes {\n        ...InboxAccount\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxPageOfChats($first: Int!, $after: String, $account: ID, $where: MessengerChatWhere) {\n    messengerChats(first: $first, after: $after, accountId: $account, where: $where) {\n      nodes {\n        ...InboxChat\n        messages(first: 1) {\n          nodes {\n            ...InboxMessage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxPageOfChats($first: Int!, $after: String, $account: ID, $where: MessengerChatWhere) {\n    messengerChats(first: $first, after: $after, accountId: $account, where: $where) {\n      nodes {\n        ...InboxChat\n        messages(first: 1) {\n          nodes {\n            ...InboxMessage\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxConversation($id: ID!, $first: Int!) {\n    messengerChat(id: $id) {\n      ...InboxChat\n      messages(first: $first) {\n        nodes {\n          ...InboxMessage\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxConversation($id: ID!, $first: Int!) {\n    messengerChat(id: $id) {\n      ...InboxChat\n      messages(first: $first) {\n        nodes {\n          ...InboxMessage\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxOlder($account: ID!, $thread: String!, $first: Int!, $after: String) {\n    messengerMessages(accountId: $account, thread: $thread, first: $first, after: $after) {\n      nodes {\n        ...InboxMessage\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxOlder($account: ID!, $thread: String!, $first: Int!, $after: String) {\n    messengerMessages(accountId: $account, thread: $thread, first: $first, after: $after) {\n      nodes {\n        ...InboxMessage\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxChatWith($account: ID!, $to: String!) {\n    messengerMessages(accountId: $account, to: $to, first: 1) {\n      nodes {\n        uuid\n        chat {\n          uuid\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxChatWith($account: ID!, $to: String!) {\n    messengerMessages(accountId: $account, to: $to, first: 1) {\n      nodes {\n        uuid\n        chat {\n          uuid\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxQuoted($item: ID!, $account: ID!) {\n    messengerMessage(item: $item, accountId: $account) {\n      ...InboxMessage\n    }\n  }\n"): (typeof documents)["\n  query InboxQuoted($item: ID!, $account: ID!) {\n    messengerMessage(item: $item, accountId: $account) {\n      ...InboxMessage\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxSend($account: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $account, input: $input) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation InboxSend($account: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $account, input: $input) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxRead($id: ID!, $upTo: ID) {\n    readMessengerChat(id: $id, upTo: $upTo) {\n      uuid\n      unread\n    }\n  }\n"): (typeof documents)["\n  mutation InboxRead($id: ID!, $upTo: ID) {\n    readMessengerChat(id: $id, upTo: $upTo) {\n      uuid\n      unread\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxTyping($account: ID!, $input: MessengerPresence!) {\n    sendMessengerTyping(accountId: $account, input: $input)\n  }\n"): (typeof documents)["\n  mutation InboxTyping($account: ID!, $input: MessengerPresence!) {\n    sendMessengerTyping(accountId: $account, input: $input)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxNotTyping($account: ID!, $to: String!) {\n    resetMessengerTyping(accountId: $account, to: $to)\n  }\n"): (typeof documents)["\n  mutation InboxNotTyping($account: ID!, $to: String!) {\n    resetMessengerTyping(accountId: $account, to: $to)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxForgetFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n"): (typeof documents)["\n  mutation InboxForgetFile($id: ID!) {\n    deleteFile(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription InboxChanged($account: ID) {\n    messengerMessageChanged(accountId: $account) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n"): (typeof documents)["\n  subscription InboxChanged($account: ID) {\n    messengerMessageChanged(accountId: $account) {\n      ...InboxMessage\n      chat {\n        ...InboxChat\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription InboxAccountChanged {\n    messengerAccountChanged {\n      account {\n        uuid\n        state\n      }\n    }\n  }\n"): (typeof documents)["\n  subscription InboxAccountChanged {\n    messengerAccountChanged {\n      account {\n        uuid\n        state\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxHits($text: String!, $account: ID, $after: String) {\n    messengerMessageSearch(text: $text, accountId: $account, first: 20, after: $after) {\n      nodes {\n        uuid\n        text\n        at\n        outgoing\n        name\n        account {\n          uuid\n        }\n        chat {\n          uuid\n          name\n          phone\n          username\n          thread\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxHits($text: String!, $account: ID, $after: String) {\n    messengerMessageSearch(text: $text, accountId: $account, first: 20, after: $after) {\n      nodes {\n        uuid\n        text\n        at\n        outgoing\n        name\n        account {\n          uuid\n        }\n        chat {\n          uuid\n          name\n          phone\n          username\n          thread\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InboxLabel on ChatLabel {\n    uuid\n    name\n    color\n  }\n"): (typeof documents)["\n  fragment InboxLabel on ChatLabel {\n    uuid\n    name\n    color\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxLabels {\n    chatLabels {\n      ...InboxLabel\n    }\n  }\n"): (typeof documents)["\n  query InboxLabels {\n    chatLabels {\n      ...InboxLabel\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxNewLabel($input: NewChatLabel!) {\n    createChatLabel(input: $input) {\n      ...InboxLabel\n    }\n  }\n"): (typeof documents)["\n  mutation InboxNewLabel($input: NewChatLabel!) {\n    createChatLabel(input: $input) {\n      ...InboxLabel\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxChangeLabel($id: ID!, $input: ChatLabelPatch!) {\n    updateChatLabel(id: $id, input: $input) {\n      ...InboxLabel\n    }\n  }\n"): (typeof documents)["\n  mutation InboxChangeLabel($id: ID!, $input: ChatLabelPatch!) {\n    updateChatLabel(id: $id, input: $input) {\n      ...InboxLabel\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxDeleteLabel($id: ID!) {\n    deleteChatLabel(id: $id)\n  }\n"): (typeof documents)["\n  mutation InboxDeleteLabel($id: ID!) {\n    deleteChatLabel(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InboxSetLabels($id: ID!, $labels: [ID!]!) {\n    setMessengerChatLabels(id: $id, labels: $labels) {\n      ...InboxChat\n    }\n  }\n"): (typeof documents)["\n  mutation InboxSetLabels($id: ID!, $labels: [ID!]!) {\n    setMessengerChatLabels(id: $id, labels: $labels) {\n      ...InboxChat\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InboxPerson(\n    $address: String!\n    $part: String!\n    $first: Int!\n    $messages: Boolean!\n    $records: Boolean!\n  ) {\n    messages(first: $first, where: { to: { eq: $address } }) @include(if: $messages) {\n      nodes {\n        uuid\n        channel\n        body\n        deliveryState\n        createdAt\n      }\n    }\n    messageRecords(first: $first, where: { to: { eq: $address } }) @include(if: $records) {\n      nodes {\n        uuid\n        channel\n        body\n        status\n        queuedAt\n        sendingProject {\n          uuid\n          name\n        }\n      }\n    }\n    messengerChats(first: 20, where: { text: { contains: $part } }) {\n      nodes {\n        ...InboxChat\n        account {\n          uuid\n          name\n          login\n          source\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query InboxPerson(\n    $address: String!\n    $part: String!\n    $first: Int!\n    $messages: Boolean!\n    $records: Boolean!\n  ) {\n    messages(first: $first, where: { to: { eq: $address } }) @include(if: $messages) {\n      nodes {\n        uuid\n        channel\n        body\n        deliveryState\n        createdAt\n      }\n    }\n    messageRecords(first: $first, where: { to: { eq: $address } }) @include(if: $records) {\n      nodes {\n        uuid\n        channel\n        body\n        status\n        queuedAt\n        sendingProject {\n          uuid\n          name\n        }\n      }\n    }\n    messengerChats(first: 20, where: { text: { contains: $part } }) {\n      nodes {\n        ...InboxChat\n        account {\n          uuid\n          name\n          login\n          source\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment MemberRow on Member {\n    uuid\n    email\n    role\n    permissions\n    hasOwnPermissions\n    createdAt\n    joinedAt\n    expiresAt\n  }\n"): (typeof documents)["\n  fragment MemberRow on Member {\n    uuid\n    email\n    role\n    permissions\n    hasOwnPermissions\n    createdAt\n    joinedAt\n    expiresAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members {\n    members(first: 100) {\n      nodes {\n        ...MemberRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query Members {\n    members(first: 100) {\n      nodes {\n        ...MemberRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InviteMember($input: NewMember!) {\n    inviteMember(input: $input) {\n      token\n      member {\n        ...MemberRow\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation InviteMember($input: NewMember!) {\n    inviteMember(input: $input) {\n      token\n      member {\n        ...MemberRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeMember($id: ID!, $input: MemberPatch!) {\n    changeMember(id: $id, input: $input) {\n      ...MemberRow\n    }\n  }\n"): (typeof documents)["\n  mutation ChangeMember($id: ID!, $input: MemberPatch!) {\n    changeMember(id: $id, input: $input) {\n      ...MemberRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($id: ID!, $input: MemberRemoval) {\n    endMember(id: $id, input: $input) {\n      ended {\n        kind\n        credentialUuid\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RemoveMember($id: ID!, $input: MemberRemoval) {\n    endMember(id: $id, input: $input) {\n      ended {\n        kind\n        credentialUuid\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcceptMembership($input: AcceptMembership!) {\n    acceptMembership(input: $input) {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n"): (typeof documents)["\n  mutation AcceptMembership($input: AcceptMembership!) {\n    acceptMembership(input: $input) {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n"): (typeof documents)["\n  fragment DirectRow on Message {\n    uuid\n    direction\n    channel\n    to\n    sender\n    body\n    metadata\n    deliveryState\n    failureCode\n    price\n    createdAt\n    updatedAt\n    account {\n      uuid\n      currency\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n"): (typeof documents)["\n  fragment RecordRow on MessageRecord {\n    uuid\n    direction\n    channel\n    to\n    body\n    status\n    failureCode\n    price\n    queuedAt\n    updatedAt\n    sendingProject {\n      uuid\n      name\n    }\n    account {\n      uuid\n      currency\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query DirectPage($first: Int!, $after: String, $where: MessageWhere, $direction: SortDirection!) {\n    messages(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...DirectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query RecordPage($first: Int!, $after: String, $where: MessageRecordWhere, $direction: SortDirection!) {\n    messageRecords(first: $first, after: $after, where: $where, orderBy: { direction: $direction }) {\n      nodes {\n        ...RecordRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query DirectTotal($where: MessageWhere) {\n    messages(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query RecordTotal($where: MessageRecordWhere) {\n    messageRecords(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n"): (typeof documents)["\n  subscription DirectChanged {\n    messageStatusChanged {\n      ...DirectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  subscription RecordsMoved {\n    sendingProjectProgress {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Choices($accounts: Boolean!, $projects: Boolean!, $tariff: Boolean!) {\n    accounts(first: 100) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff @include(if: $tariff) {\n      code\n      channels\n      prices\n    }\n  }\n"): (typeof documents)["\n  query Choices($accounts: Boolean!, $projects: Boolean!, $tariff: Boolean!) {\n    accounts(first: 100) @include(if: $accounts) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sendingProjects(first: 100) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    tariff @include(if: $tariff) {\n      code\n      channels\n      prices\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n"): (typeof documents)["\n  mutation SendMessage($input: SendMessage!) {\n    sendMessage(input: $input) {\n      ...DirectRow\n      segments\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n"): (typeof documents)["\n  query Segments($variables: JSON!) {\n    previewMessage(input: { channel: sms, text: \"{{ body }}\", variables: $variables }) {\n      segments\n      characters\n      encoding\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AttemptFields on FailedAttempt {\n    at\n    code\n    reason\n    provider\n  }\n"): (typeof documents)["\n  fragment AttemptFields on FailedAttempt {\n    at\n    code\n    reason\n    provider\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DeliveryFields on WebhookDelivery {\n    uuid\n    type\n    state\n    attempts\n    createdAt\n    webhook {\n      uuid\n      url\n    }\n  }\n"): (typeof documents)["\n  fragment DeliveryFields on WebhookDelivery {\n    uuid\n    type\n    state\n    attempts\n    createdAt\n    webhook {\n      uuid\n      url\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneMessage(\n    $id: ID!\n    $admin: Boolean!\n    $direct: Boolean!\n    $record: Boolean!\n    $deliveries: Boolean!\n    $senders: Boolean!\n  ) {\n    message(id: $id) @include(if: $direct) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      ledgerEntries {\n        uuid\n        kind\n        amount\n        createdAt\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) @include(if: $record) {\n      ...RecordRow\n      attempts\n      variant\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) @include(if: $direct) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      sender\n      sourceAccount @include(if: $senders) {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneMessage(\n    $id: ID!\n    $admin: Boolean!\n    $direct: Boolean!\n    $record: Boolean!\n    $deliveries: Boolean!\n    $senders: Boolean!\n  ) {\n    message(id: $id) @include(if: $direct) {\n      ...DirectRow\n      accountId\n      category\n      trial\n      segments\n      attempts\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      ledgerEntries {\n        uuid\n        kind\n        amount\n        createdAt\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n    messageRecord(id: $id) @include(if: $record) {\n      ...RecordRow\n      attempts\n      variant\n      provider\n      providerMessageId\n      failureReason\n      sentAt\n      deliveredAt\n      readAt\n      repliedAt\n      failedAttempts {\n        ...AttemptFields\n      }\n      webhookDeliveries(first: 20) @include(if: $deliveries) {\n        nodes {\n          ...DeliveryFields\n        }\n      }\n      mailReports(first: 20) @include(if: $direct) {\n        nodes {\n          ...ReportFields\n        }\n      }\n      sender\n      sourceAccount @include(if: $senders) {\n        uuid\n        login\n        source\n      }\n      account {\n        uuid\n        name\n        currency\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n"): (typeof documents)["\n  subscription OneChanged($id: ID!) {\n    messageStatusChanged(id: $id) {\n      uuid\n      deliveryState\n      updatedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BlockRecipients($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      invalid {\n        place\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation BlockRecipients($input: BlockMany!) {\n    blockPhones(input: $input) {\n      added\n      changed\n      unchanged\n      invalid {\n        place\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ReportFields on MailReport {\n    uuid\n    type\n    bounceClass\n    status\n    code\n    diagnostic\n    createdAt\n  }\n"): (typeof documents)["\n  fragment ReportFields on MailReport {\n    uuid\n    type\n    bounceClass\n    status\n    code\n    diagnostic\n    createdAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReportMail($id: ID!) {\n    mailReportMail(id: $id) {\n      mail\n    }\n  }\n"): (typeof documents)["\n  query ReportMail($id: ID!) {\n    mailReportMail(id: $id) {\n      mail\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment MessengerRow on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    driver\n    state\n    reason\n    reasonCode\n    until\n    attemptsLeft\n    stateAt\n    phone\n    connectedPhone\n    updatedAt\n  }\n"): (typeof documents)["\n  fragment MessengerRow on MessengerAccount {\n    uuid\n    source\n    login\n    name\n    driver\n    state\n    reason\n    reasonCode\n    until\n    attemptsLeft\n    stateAt\n    phone\n    connectedPhone\n    updatedAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessengerAccountPage($after: String, $where: MessengerAccountWhere, $admin: Boolean!) {\n    messengerAccounts(first: 100, after: $after, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        ...MessengerRow\n        owner @include(if: $admin) {\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query MessengerAccountPage($after: String, $where: MessengerAccountWhere, $admin: Boolean!) {\n    messengerAccounts(first: 100, after: $after, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        ...MessengerRow\n        owner @include(if: $admin) {\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessengerAccountCounts {\n    all: messengerAccounts(first: 1) {\n      totalCount\n    }\n    working: messengerAccounts(first: 1, where: { state: { eq: working } }) {\n      totalCount\n    }\n    login: messengerAccounts(\n      first: 1\n      where: { state: { in: [waitQr, waitPhone, waitCode, waitPassword, showCode] } }\n    ) {\n      totalCount\n    }\n    down: messengerAccounts(first: 1, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      totalCount\n    }\n    moving: messengerAccounts(first: 1, where: { state: { in: [starting, syncing, reconnecting] } }) {\n      totalCount\n    }\n    stopped: messengerAccounts(first: 1, where: { state: { eq: stopped } }) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query MessengerAccountCounts {\n    all: messengerAccounts(first: 1) {\n      totalCount\n    }\n    working: messengerAccounts(first: 1, where: { state: { eq: working } }) {\n      totalCount\n    }\n    login: messengerAccounts(\n      first: 1\n      where: { state: { in: [waitQr, waitPhone, waitCode, waitPassword, showCode] } }\n    ) {\n      totalCount\n    }\n    down: messengerAccounts(first: 1, where: { state: { in: [failed, loggedOut, blocked] } }) {\n      totalCount\n    }\n    moving: messengerAccounts(first: 1, where: { state: { in: [starting, syncing, reconnecting] } }) {\n      totalCount\n    }\n    stopped: messengerAccounts(first: 1, where: { state: { eq: stopped } }) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription MessengerAccountsMoved {\n    messengerAccountChanged {\n      account {\n        ...MessengerRow\n      }\n    }\n  }\n"): (typeof documents)["\n  subscription MessengerAccountsMoved {\n    messengerAccountChanged {\n      account {\n        ...MessengerRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneMessengerAccount($id: ID!, $admin: Boolean!) {\n    messengerAccount(id: $id) {\n      ...MessengerRow\n      wanted\n      checkedAt\n      proxy\n      createdAt\n      me {\n        messengerId\n        phone\n        username\n        firstName\n        lastName\n      }\n      owner @include(if: $admin) {\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneMessengerAccount($id: ID!, $admin: Boolean!) {\n    messengerAccount(id: $id) {\n      ...MessengerRow\n      wanted\n      checkedAt\n      proxy\n      createdAt\n      me {\n        messengerId\n        phone\n        username\n        firstName\n        lastName\n      }\n      owner @include(if: $admin) {\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription MessengerAccountMoved($id: ID!) {\n    messengerAccountChanged(id: $id) {\n      account {\n        ...MessengerRow\n        wanted\n        checkedAt\n        proxy\n        createdAt\n        me {\n          messengerId\n          phone\n          username\n          firstName\n          lastName\n        }\n      }\n      qrCode {\n        value\n        expiresAt\n        png\n      }\n      pairingCode {\n        value\n        expiresAt\n      }\n      at\n    }\n  }\n"): (typeof documents)["\n  subscription MessengerAccountMoved($id: ID!) {\n    messengerAccountChanged(id: $id) {\n      account {\n        ...MessengerRow\n        wanted\n        checkedAt\n        proxy\n        createdAt\n        me {\n          messengerId\n          phone\n          username\n          firstName\n          lastName\n        }\n      }\n      qrCode {\n        value\n        expiresAt\n        png\n      }\n      pairingCode {\n        value\n        expiresAt\n      }\n      at\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessengerHistory($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      stateChanges {\n        state\n        reason\n        reasonCode\n        until\n        createdAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query MessengerHistory($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      stateChanges {\n        state\n        reason\n        reasonCode\n        until\n        createdAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EnabledDrivers {\n    messengerDrivers {\n      source\n      driver\n      label\n      about\n    }\n  }\n"): (typeof documents)["\n  query EnabledDrivers {\n    messengerDrivers {\n      source\n      driver\n      label\n      about\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddMessenger($input: NewMessengerAccount!) {\n    addMessengerAccount(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation AddMessenger($input: NewMessengerAccount!) {\n    addMessengerAccount(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartMessenger($id: ID!) {\n    startMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n"): (typeof documents)["\n  mutation StartMessenger($id: ID!) {\n    startMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopMessenger($id: ID!) {\n    stopMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n"): (typeof documents)["\n  mutation StopMessenger($id: ID!) {\n    stopMessengerAccount(id: $id) {\n      ...MessengerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ClearMessenger($id: ID!) {\n    clearMessengerSession(id: $id) {\n      ...MessengerRow\n    }\n  }\n"): (typeof documents)["\n  mutation ClearMessenger($id: ID!) {\n    clearMessengerSession(id: $id) {\n      ...MessengerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteMessenger($id: ID!) {\n    deleteMessengerAccount(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteMessenger($id: ID!) {\n    deleteMessengerAccount(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetMessengerPhone($id: ID!, $phone: String) {\n    setMessengerPhone(id: $id, input: { phone: $phone }) {\n      ...MessengerRow\n    }\n  }\n"): (typeof documents)["\n  mutation SetMessengerPhone($id: ID!, $phone: String) {\n    setMessengerPhone(id: $id, input: { phone: $phone }) {\n      ...MessengerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SolveChallenge($id: ID!, $code: String!) {\n    solveMessengerChallenge(id: $id, input: { code: $code }) {\n      ...MessengerRow\n    }\n  }\n"): (typeof documents)["\n  mutation SolveChallenge($id: ID!, $code: String!) {\n    solveMessengerChallenge(id: $id, input: { code: $code }) {\n      ...MessengerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation GivePassword($id: ID!, $password: String!) {\n    giveMessengerPassword(id: $id, input: { password: $password }) {\n      ...MessengerRow\n    }\n  }\n"): (typeof documents)["\n  mutation GivePassword($id: ID!, $password: String!) {\n    giveMessengerPassword(id: $id, input: { password: $password }) {\n      ...MessengerRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateMessenger($id: ID!, $input: MessengerAccountPatch!) {\n    updateMessengerAccount(id: $id, input: $input) {\n      ...MessengerRow\n      proxy\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateMessenger($id: ID!, $input: MessengerAccountPatch!) {\n    updateMessengerAccount(id: $id, input: $input) {\n      ...MessengerRow\n      proxy\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewProxy($id: ID!) {\n    renewMessengerProxy(id: $id) {\n      ...MessengerRow\n      proxy\n    }\n  }\n"): (typeof documents)["\n  mutation RenewProxy($id: ID!) {\n    renewMessengerProxy(id: $id) {\n      ...MessengerRow\n      proxy\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendMessengerTest($id: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $id, input: $input) {\n      uuid\n      status\n    }\n  }\n"): (typeof documents)["\n  mutation SendMessengerTest($id: ID!, $input: NewMessengerMessage!) {\n    sendMessengerMessage(accountId: $id, input: $input) {\n      uuid\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessengerBehaviour($id: ID!) {\n    messengerConfig(id: $id, name: \"default\") {\n      config\n      updatedAt\n    }\n  }\n"): (typeof documents)["\n  query MessengerBehaviour($id: ID!) {\n    messengerConfig(id: $id, name: \"default\") {\n      config\n      updatedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetMessengerBehaviour($id: ID!, $input: NewMessengerConfig!) {\n    setMessengerConfig(id: $id, input: $input) {\n      config\n      updatedAt\n    }\n  }\n"): (typeof documents)["\n  mutation SetMessengerBehaviour($id: ID!, $input: NewMessengerConfig!) {\n    setMessengerConfig(id: $id, input: $input) {\n      config\n      updatedAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SenderOfAccount($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      sourceAccounts(first: 1) {\n        nodes {\n          uuid\n          login\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query SenderOfAccount($id: ID!) {\n    messengerAccount(id: $id) {\n      uuid\n      sourceAccounts(first: 1) {\n        nodes {\n          uuid\n          login\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessengerWebhooks($id: ID!) {\n    webhooks(accountId: $id, first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        nextAt\n        lastError\n        lastStatus\n        deliveredAt\n        events\n        waiting\n        dead\n      }\n    }\n  }\n"): (typeof documents)["\n  query MessengerWebhooks($id: ID!) {\n    webhooks(accountId: $id, first: 20) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        nextAt\n        lastError\n        lastStatus\n        deliveredAt\n        events\n        waiting\n        dead\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddMessengerWebhook($id: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $id, input: $input) {\n      webhook {\n        uuid\n        url\n      }\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation AddMessengerWebhook($id: ID!, $input: NewWebhook!) {\n    addWebhook(accountId: $id, input: $input) {\n      webhook {\n        uuid\n        url\n      }\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestMessengerWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      seconds\n    }\n  }\n"): (typeof documents)["\n  mutation TestMessengerWebhook($id: ID!) {\n    testWebhook(id: $id) {\n      delivered\n      error\n      status\n      seconds\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SwitchMessengerWebhook($id: ID!, $enabled: Boolean!) {\n    updateWebhook(id: $id, input: { enabled: $enabled }) {\n      uuid\n      enabled\n    }\n  }\n"): (typeof documents)["\n  mutation SwitchMessengerWebhook($id: ID!, $enabled: Boolean!) {\n    updateWebhook(id: $id, input: { enabled: $enabled }) {\n      uuid\n      enabled\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateMessengerSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n"): (typeof documents)["\n  mutation RotateMessengerSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteMessengerWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteMessengerWebhook($id: ID!) {\n    deleteWebhook(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!, $channel: ProjectChannel) {\n    statisticsGeneral(\n      kind: all\n      interval: $interval\n      dateFrom: $from\n      timezone: $timezone\n      channel: $channel\n    ) {\n      items {\n        from\n        sent\n        delivered\n        failed\n        unknown\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n"): (typeof documents)["\n  query Traffic($interval: Interval!, $from: DateTime!, $timezone: String!, $channel: ProjectChannel) {\n    statisticsGeneral(\n      kind: all\n      interval: $interval\n      dateFrom: $from\n      timezone: $timezone\n      channel: $channel\n    ) {\n      items {\n        from\n        sent\n        delivered\n        failed\n        unknown\n      }\n    }\n    direct: deliveryStatusCounts(kind: direct) {\n      statuses\n    }\n    project: deliveryStatusCounts(kind: project) {\n      statuses\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AttentionAccount on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n  }\n"): (typeof documents)["\n  fragment AttentionAccount on Account {\n    uuid\n    name\n    plan\n    balance\n    currency\n    lowBalance\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Attention(\n    $admin: Boolean!\n    $own: Boolean!\n    $accounts: Boolean!\n    $projects: Boolean!\n    $messengers: Boolean!\n    $events: Boolean!\n    $tariff: Boolean!\n  ) {\n    me @include(if: $own) {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          ...AttentionAccount\n        }\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        ...AttentionAccount\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } })\n      @include(if: $messengers) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) @include(if: $messengers) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed @include(if: $events) {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff @include(if: $tariff) {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n"): (typeof documents)["\n  query Attention(\n    $admin: Boolean!\n    $own: Boolean!\n    $accounts: Boolean!\n    $projects: Boolean!\n    $messengers: Boolean!\n    $events: Boolean!\n    $tariff: Boolean!\n  ) {\n    me @include(if: $own) {\n      uuid\n      accounts(first: 50) {\n        nodes {\n          ...AttentionAccount\n        }\n      }\n    }\n    accounts(first: 50) @include(if: $accounts) {\n      nodes {\n        ...AttentionAccount\n      }\n    }\n    sendingProjects(first: 20, where: { status: { in: [paused] } }) @include(if: $projects) {\n      nodes {\n        uuid\n        name\n        statusReason\n        resumeAt\n      }\n    }\n    processingHealth {\n      projects {\n        uuid\n        stuck\n        lastProgressAt\n        project {\n          uuid\n          name\n        }\n      }\n    }\n    messengerAccounts(first: 20, where: { state: { in: [failed, loggedOut, blocked] } })\n      @include(if: $messengers) {\n      nodes {\n        uuid\n        login\n        name\n        source\n        state\n        reason\n      }\n    }\n    webhooks(first: 20) @include(if: $messengers) {\n      nodes {\n        uuid\n        url\n        enabled\n        disabledReason\n        failures\n        lastError\n        missed\n        dead\n      }\n    }\n    eventFeed @include(if: $events) {\n      recording\n      nearlyFull\n      count\n      limit\n    }\n    tariff @include(if: $tariff) {\n      code\n      messagesPerDay\n      used {\n        messagesToday\n        resetsAt\n      }\n    }\n    readiness @include(if: $admin) {\n      status\n      error\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DoctorFindings {\n    doctor {\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n"): (typeof documents)["\n  query DoctorFindings {\n    doctor {\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Outcomes($from: DateTime!) {\n    statisticsOutcomes(dateFrom: $from) {\n      from\n      countedSince\n      items {\n        kind\n        channel\n        total\n        queued\n        sending\n        sent\n        delivered\n        read\n        failed\n        skipped\n        unknown\n        canceled\n      }\n    }\n  }\n"): (typeof documents)["\n  query Outcomes($from: DateTime!) {\n    statisticsOutcomes(dateFrom: $from) {\n      from\n      countedSince\n      items {\n        kind\n        channel\n        total\n        queued\n        sending\n        sent\n        delivered\n        read\n        failed\n        skipped\n        unknown\n        canceled\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FailedMessages($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 100, where: $direct) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messageRecords(first: 100, where: $project) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n"): (typeof documents)["\n  query FailedMessages($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 100, where: $direct) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n    messageRecords(first: 100, where: $project) {\n      nodes {\n        uuid\n        failureCode\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CauseTotals($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 1, where: $direct) {\n      totalCount\n    }\n    messageRecords(first: 1, where: $project) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query CauseTotals($direct: MessageWhere, $project: MessageRecordWhere) {\n    messages(first: 1, where: $direct) {\n      totalCount\n    }\n    messageRecords(first: 1, where: $project) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Active {\n    sendingProjects(first: 6, where: { status: { in: [running, paused, scheduled] } }) {\n      nodes {\n        uuid\n        name\n        status\n        statusReason\n        startAt\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          skipped\n          unknown\n          canceled\n        }\n        progress {\n          total\n          done\n          percent\n          perMinute\n          endsAt\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Active {\n    sendingProjects(first: 6, where: { status: { in: [running, paused, scheduled] } }) {\n      nodes {\n        uuid\n        name\n        status\n        statusReason\n        startAt\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          skipped\n          unknown\n          canceled\n        }\n        progress {\n          total\n          done\n          percent\n          perMinute\n          endsAt\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Newcomer($me: String!) {\n    messages(first: 20, where: { ownerId: { eq: $me }, direction: { eq: outbound } }) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    delivered: messages(\n      first: 20\n      where: { ownerId: { eq: $me }, direction: { eq: outbound }, deliveryState: { eq: delivered } }\n    ) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    sendingProjects(first: 20, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n        counts {\n          total\n          delivered\n          read\n        }\n      }\n    }\n    messengerAccounts(first: 1, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n      }\n    }\n    apiTokens(first: 1, where: { revoked: { eq: false } }) {\n      nodes {\n        uuid\n      }\n    }\n  }\n"): (typeof documents)["\n  query Newcomer($me: String!) {\n    messages(first: 20, where: { ownerId: { eq: $me }, direction: { eq: outbound } }) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    delivered: messages(\n      first: 20\n      where: { ownerId: { eq: $me }, direction: { eq: outbound }, deliveryState: { eq: delivered } }\n    ) {\n      nodes {\n        uuid\n        metadata\n      }\n    }\n    sendingProjects(first: 20, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n        counts {\n          total\n          delivered\n          read\n        }\n      }\n    }\n    messengerAccounts(first: 1, where: { ownerId: { eq: $me } }) {\n      nodes {\n        uuid\n      }\n    }\n    apiTokens(first: 1, where: { revoked: { eq: false } }) {\n      nodes {\n        uuid\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  subscription DirectSignal {\n    messageStatusChanged {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n"): (typeof documents)["\n  subscription ProjectSignal {\n    sendingProjectProgress {\n      uuid\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LeaveOwner($id: ID!) {\n    leaveOwner(id: $id)\n  }\n"): (typeof documents)["\n  mutation LeaveOwner($id: ID!) {\n    leaveOwner(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n"): (typeof documents)["\n  mutation ChangePassword($input: ChangePassword!) {\n    changePassword(input: $input) {\n      expiresIn\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n"): (typeof documents)["\n  mutation SaveProfile($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      uuid\n      email\n      displayName\n      locale\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SecondFactors {\n    secondFactors {\n      factors {\n        uuid\n        name\n        confirmedAt\n      }\n      recoveryCodes\n      demanded\n    }\n  }\n"): (typeof documents)["\n  query SecondFactors {\n    secondFactors {\n      factors {\n        uuid\n        name\n        confirmedAt\n      }\n      recoveryCodes\n      demanded\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BeginTotp($input: NewTotp) {\n    beginTotp(input: $input) {\n      factorUuid: uuid\n      secret\n      qrPng\n    }\n  }\n"): (typeof documents)["\n  mutation BeginTotp($input: NewTotp) {\n    beginTotp(input: $input) {\n      factorUuid: uuid\n      secret\n      qrPng\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmTotp($id: ID!, $input: SecondFactorCode!) {\n    confirmTotp(id: $id, input: $input) {\n      recoveryCodes\n    }\n  }\n"): (typeof documents)["\n  mutation ConfirmTotp($id: ID!, $input: SecondFactorCode!) {\n    confirmTotp(id: $id, input: $input) {\n      recoveryCodes\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveSecondFactor($id: ID!) {\n    removeSecondFactor(id: $id)\n  }\n"): (typeof documents)["\n  mutation RemoveSecondFactor($id: ID!) {\n    removeSecondFactor(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation NewRecoveryCodes {\n    newRecoveryCodes {\n      recoveryCodes\n    }\n  }\n"): (typeof documents)["\n  mutation NewRecoveryCodes {\n    newRecoveryCodes {\n      recoveryCodes\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ProjectRow on SendingProject {\n    uuid\n    name\n    status\n    statusReason\n    resumeAt\n    recipientsPending\n    recipientsError\n    channel\n    startAt\n    createdAt\n    updatedAt\n    startedAt\n    finishedAt\n    counts {\n      total\n      queued\n      sending\n      sent\n      delivered\n      read\n      failed\n      skipped\n      unknown\n      canceled\n      replied\n    }\n    progress {\n      total\n      done\n      percent\n      preparing\n      perMinute\n      etaSeconds\n      endsAt\n    }\n  }\n"): (typeof documents)["\n  fragment ProjectRow on SendingProject {\n    uuid\n    name\n    status\n    statusReason\n    resumeAt\n    recipientsPending\n    recipientsError\n    channel\n    startAt\n    createdAt\n    updatedAt\n    startedAt\n    finishedAt\n    counts {\n      total\n      queued\n      sending\n      sent\n      delivered\n      read\n      failed\n      skipped\n      unknown\n      canceled\n      replied\n    }\n    progress {\n      total\n      done\n      percent\n      preparing\n      perMinute\n      etaSeconds\n      endsAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectRows(\n    $first: Int!\n    $after: String\n    $where: SendingProjectWhere\n    $orderBy: SendingProjectOrder\n  ) {\n    sendingProjects(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...ProjectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query ProjectRows(\n    $first: Int!\n    $after: String\n    $where: SendingProjectWhere\n    $orderBy: SendingProjectOrder\n  ) {\n    sendingProjects(first: $first, after: $after, where: $where, orderBy: $orderBy) {\n      nodes {\n        ...ProjectRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectTotal($where: SendingProjectWhere) {\n    sendingProjects(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query ProjectTotal($where: SendingProjectWhere) {\n    sendingProjects(first: 1, where: $where) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ProjectsMoved {\n    sendingProjectProgress {\n      ...ProjectRow\n    }\n  }\n"): (typeof documents)["\n  subscription ProjectsMoved {\n    sendingProjectProgress {\n      ...ProjectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneProject(\n    $id: ID!\n    $admin: Boolean!\n    $accounts: Boolean!\n    $files: Boolean!\n    $recipients: Boolean!\n    $senders: Boolean!\n  ) {\n    sendingProject(id: $id) {\n      ...ProjectRow\n      messagesDeletedAt\n      retrySuppressed\n      ...ProjectOwnSettings\n      ...ProjectFiles @include(if: $files)\n      ...ProjectSenders @include(if: $senders)\n      processing {\n        stuck\n        lastProgressAt\n      }\n      failureReasons {\n        code\n        count\n        skipped\n      }\n      variantStatistics {\n        variant\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          replied\n        }\n        rates {\n          delivered\n          read\n          failed\n          replied\n        }\n      }\n      rates {\n        sent\n        delivered\n        read\n        failed\n        replied\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n        currency\n        balance\n      }\n      cost @include(if: $accounts) {\n        currency\n        cost\n        charged\n        refunded\n      }\n      recipients(first: 1) @include(if: $recipients) {\n        totalCount\n      }\n      repeatable {\n        uuid\n        name\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneProject(\n    $id: ID!\n    $admin: Boolean!\n    $accounts: Boolean!\n    $files: Boolean!\n    $recipients: Boolean!\n    $senders: Boolean!\n  ) {\n    sendingProject(id: $id) {\n      ...ProjectRow\n      messagesDeletedAt\n      retrySuppressed\n      ...ProjectOwnSettings\n      ...ProjectFiles @include(if: $files)\n      ...ProjectSenders @include(if: $senders)\n      processing {\n        stuck\n        lastProgressAt\n      }\n      failureReasons {\n        code\n        count\n        skipped\n      }\n      variantStatistics {\n        variant\n        counts {\n          total\n          sent\n          delivered\n          read\n          failed\n          replied\n        }\n        rates {\n          delivered\n          read\n          failed\n          replied\n        }\n      }\n      rates {\n        sent\n        delivered\n        read\n        failed\n        replied\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n        currency\n        balance\n      }\n      cost @include(if: $accounts) {\n        currency\n        cost\n        charged\n        refunded\n      }\n      recipients(first: 1) @include(if: $recipients) {\n        totalCount\n      }\n      repeatable {\n        uuid\n        name\n      }\n      owner @include(if: $admin) {\n        uuid\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription ProjectMoved($id: ID!) {\n    sendingProjectProgress(id: $id) {\n      ...ProjectRow\n    }\n  }\n"): (typeof documents)["\n  subscription ProjectMoved($id: ID!) {\n    sendingProjectProgress(id: $id) {\n      ...ProjectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ProjectSettings on SendingProject {\n    ...ProjectOwnSettings\n    ...ProjectFiles\n    ...ProjectSenders\n  }\n"): (typeof documents)["\n  fragment ProjectSettings on SendingProject {\n    ...ProjectOwnSettings\n    ...ProjectFiles\n    ...ProjectSenders\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ProjectFiles on SendingProject {\n    attachments {\n      uuid\n      name\n      size\n      url\n    }\n  }\n"): (typeof documents)["\n  fragment ProjectFiles on SendingProject {\n    attachments {\n      uuid\n      name\n      size\n      url\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ProjectSenders on SendingProject {\n    sourceAccounts {\n      uuid\n      name\n      login\n      status\n    }\n  }\n"): (typeof documents)["\n  fragment ProjectSenders on SendingProject {\n    sourceAccounts {\n      uuid\n      name\n      login\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment ProjectOwnSettings on SendingProject {\n    uuid\n    name\n    status\n    channel\n    category\n    accountId\n    accountUuids\n    from\n    sender\n    subject\n    html\n    text\n    startAt\n    startWithinSeconds\n    onMissingVariable\n    stopOnReply\n    variableLabels\n    attachmentUuids\n    audience {\n      topicUuids\n      segmentUuids\n      exceptTopicUuids\n      exceptSegmentUuids\n      exceptProjectUuids\n    }\n    template {\n      name\n      language\n      params\n    }\n    retry {\n      maxAttempts\n      backoffSeconds\n    }\n    variants {\n      text\n      weight\n    }\n    window {\n      timezone\n      days\n      from\n      to\n      recipientTimezone\n    }\n    speed {\n      perMinute\n      perAccountPerMinute\n      jitterSeconds\n    }\n  }\n"): (typeof documents)["\n  fragment ProjectOwnSettings on SendingProject {\n    uuid\n    name\n    status\n    channel\n    category\n    accountId\n    accountUuids\n    from\n    sender\n    subject\n    html\n    text\n    startAt\n    startWithinSeconds\n    onMissingVariable\n    stopOnReply\n    variableLabels\n    attachmentUuids\n    audience {\n      topicUuids\n      segmentUuids\n      exceptTopicUuids\n      exceptSegmentUuids\n      exceptProjectUuids\n    }\n    template {\n      name\n      language\n      params\n    }\n    retry {\n      maxAttempts\n      backoffSeconds\n    }\n    variants {\n      text\n      weight\n    }\n    window {\n      timezone\n      days\n      from\n      to\n      recipientTimezone\n    }\n    speed {\n      perMinute\n      perAccountPerMinute\n      jitterSeconds\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartProject($id: ID!) {\n    startSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n"): (typeof documents)["\n  mutation StartProject($id: ID!) {\n    startSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopProject($id: ID!) {\n    stopSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n"): (typeof documents)["\n  mutation StopProject($id: ID!) {\n    stopSendingProject(id: $id) {\n      ...ProjectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetryProject($id: ID!, $input: RetryProject) {\n    retrySendingProject(id: $id, input: $input) {\n      ...ProjectRow\n    }\n  }\n"): (typeof documents)["\n  mutation RetryProject($id: ID!, $input: RetryProject) {\n    retrySendingProject(id: $id, input: $input) {\n      ...ProjectRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteProject($id: ID!) {\n    deleteSendingProject(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteProject($id: ID!) {\n    deleteSendingProject(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DuplicateProject($id: ID!, $input: DuplicateProject!) {\n    duplicateSendingProject(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation DuplicateProject($id: ID!, $input: DuplicateProject!) {\n    duplicateSendingProject(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopProjects($ids: [UUID!]!) {\n    stopSendingProjects(input: { uuids: $ids }) {\n      stopped\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation StopProjects($ids: [UUID!]!) {\n    stopSendingProjects(input: { uuids: $ids }) {\n      stopped\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetryProjects($ids: [UUID!]!) {\n    retrySendingProjects(input: { uuids: $ids }) {\n      retried\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation RetryProjects($ids: [UUID!]!) {\n    retrySendingProjects(input: { uuids: $ids }) {\n      retried\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteProjects($ids: [UUID!]!) {\n    deleteSendingProjects(input: { uuids: $ids }) {\n      deleted\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation DeleteProjects($ids: [UUID!]!) {\n    deleteSendingProjects(input: { uuids: $ids }) {\n      deleted\n      failed {\n        uuid\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DraftProject($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n      recipientsPending\n      recipientsError\n      recipients(first: 50) {\n        totalCount\n        nodes {\n          uuid\n          address\n          name\n          variables\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query DraftProject($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n      recipientsPending\n      recipientsError\n      recipients(first: 50) {\n        totalCount\n        nodes {\n          uuid\n          address\n          name\n          variables\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectChoices($messengers: Boolean!) {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sourceAccounts(first: 100) {\n      nodes {\n        uuid\n        source\n        name\n        login\n        status\n        messengerAccount @include(if: $messengers) {\n          driver\n        }\n      }\n    }\n    tariff {\n      channels\n      prices\n      maxRecipientsPerProject\n      messagesPerDay\n      messagesPerMinute\n      used {\n        messagesToday\n      }\n    }\n  }\n"): (typeof documents)["\n  query ProjectChoices($messengers: Boolean!) {\n    accounts(first: 100) {\n      nodes {\n        uuid\n        name\n        currency\n        balance\n      }\n    }\n    sourceAccounts(first: 100) {\n      nodes {\n        uuid\n        source\n        name\n        login\n        status\n        messengerAccount @include(if: $messengers) {\n          driver\n        }\n      }\n    }\n    tariff {\n      channels\n      prices\n      maxRecipientsPerProject\n      messagesPerDay\n      messagesPerMinute\n      used {\n        messagesToday\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateProject($input: NewSendingProject!) {\n    createSendingProject(input: $input) {\n      ...ProjectSettings\n    }\n  }\n"): (typeof documents)["\n  mutation CreateProject($input: NewSendingProject!) {\n    createSendingProject(input: $input) {\n      ...ProjectSettings\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateProject($id: ID!, $input: SendingProjectPatch!) {\n    updateSendingProject(id: $id, input: $input) {\n      ...ProjectSettings\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateProject($id: ID!, $input: SendingProjectPatch!) {\n    updateSendingProject(id: $id, input: $input) {\n      ...ProjectSettings\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreviewList($input: NewImport!) {\n    previewImport(input: $input) {\n      format\n      delimiter\n      encoding\n      header\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n"): (typeof documents)["\n  query PreviewList($input: NewImport!) {\n    previewImport(input: $input) {\n      format\n      delimiter\n      encoding\n      header\n      headerRow\n      columns {\n        name\n        samples\n      }\n      mapping\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportList($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation ImportList($input: NewImport!) {\n    importRecipients(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportText($input: NewTextImport!) {\n    importRecipientsFromText(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation ImportText($input: NewTextImport!) {\n    importRecipientsFromText(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EarlierImports {\n    recipientImports(first: 20, where: { status: { eq: ready } }) {\n      nodes {\n        uuid\n        fileName\n        valid\n        createdAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query EarlierImports {\n    recipientImports(first: 20, where: { status: { eq: ready } }) {\n      nodes {\n        uuid\n        fileName\n        valid\n        createdAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddList($project: ID!, $list: UUID!) {\n    addRecipients(sendingProjectId: $project, input: { importUuid: $list }) {\n      added\n      duplicates\n      invalidCount\n      invalid {\n        place\n        message\n      }\n      pending\n    }\n  }\n"): (typeof documents)["\n  mutation AddList($project: ID!, $list: UUID!) {\n    addRecipients(sendingProjectId: $project, input: { importUuid: $list }) {\n      added\n      duplicates\n      invalidCount\n      invalid {\n        place\n        message\n      }\n      pending\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreviewText($input: PreviewMessage!) {\n    previewMessage(input: $input) {\n      subject\n      body\n      html\n      variables\n      missing\n      characters\n      segments\n      encoding\n    }\n  }\n"): (typeof documents)["\n  query PreviewText($input: PreviewMessage!) {\n    previewMessage(input: $input) {\n      subject\n      body\n      html\n      variables\n      missing\n      characters\n      segments\n      encoding\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendTrial($input: SendTest!) {\n    sendTestMessage(input: $input) {\n      messageId\n      status\n      error {\n        code\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation SendTrial($input: SendTest!) {\n    sendTestMessage(input: $input) {\n      messageId\n      status\n      error {\n        code\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Timezones {\n    timezones\n  }\n"): (typeof documents)["\n  query Timezones {\n    timezones\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectPlan($id: ID!, $changes: PlannedChanges) {\n    sendingProjectPlan(id: $id, changes: $changes) {\n      recipients\n      toSend\n      exact\n      examined\n      skipped {\n        code\n        count\n      }\n      missing {\n        name\n        count\n      }\n      cost {\n        currency\n        price\n        amount\n        atMost\n        byCountry {\n          country\n          messages\n          amount\n        }\n        parts\n      }\n      perMinute\n      limitedBy\n      leftToday\n      beginsAt\n      endsAt\n    }\n  }\n"): (typeof documents)["\n  query ProjectPlan($id: ID!, $changes: PlannedChanges) {\n    sendingProjectPlan(id: $id, changes: $changes) {\n      recipients\n      toSend\n      exact\n      examined\n      skipped {\n        code\n        count\n      }\n      missing {\n        name\n        count\n      }\n      cost {\n        currency\n        price\n        amount\n        atMost\n        byCountry {\n          country\n          messages\n          amount\n        }\n        parts\n      }\n      perMinute\n      limitedBy\n      leftToday\n      beginsAt\n      endsAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FindRecipients($id: ID!, $text: String!) {\n    recipients(sendingProjectId: $id, first: 5, where: { text: { contains: $text } }) {\n      totalCount\n      nodes {\n        uuid\n        address\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query FindRecipients($id: ID!, $text: String!) {\n    recipients(sendingProjectId: $id, first: 5, where: { text: { contains: $text } }) {\n      totalCount\n      nodes {\n        uuid\n        address\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveRecipients($id: ID!, $input: RemoveRecipients!) {\n    removeRecipients(sendingProjectId: $id, input: $input) {\n      removed\n      withMessage\n      more\n    }\n  }\n"): (typeof documents)["\n  mutation RemoveRecipients($id: ID!, $input: RemoveRecipients!) {\n    removeRecipients(sendingProjectId: $id, input: $input) {\n      removed\n      withMessage\n      more\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation WriteTexts($input: GenerateText!) {\n    generateText(input: $input) {\n      texts\n      model\n      usage {\n        totalTokens\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation WriteTexts($input: GenerateText!) {\n    generateText(input: $input) {\n      texts\n      model\n      usage {\n        totalTokens\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EarlierTrials($channel: ProjectChannel!) {\n    trialMessages(first: 5, where: { channel: { eq: $channel } }) {\n      nodes {\n        uuid\n        to\n        deliveryState\n        failureReason\n        createdAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query EarlierTrials($channel: ProjectChannel!) {\n    trialMessages(first: 5, where: { channel: { eq: $channel } }) {\n      nodes {\n        uuid\n        to\n        deliveryState\n        failureReason\n        createdAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EarlierProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 30, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 20, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query EarlierProjects($newest: SendingProjectWhere, $chosen: SendingProjectWhere, $any: Boolean!) {\n    newest: sendingProjects(first: 30, where: $newest) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    chosen: sendingProjects(first: 20, where: $chosen) @include(if: $any) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectMailReports($id: ID!) {\n    sendingProject(id: $id) {\n      uuid\n      mailReportCounts {\n        providerClass\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        deferred\n        complaints\n      }\n    }\n  }\n"): (typeof documents)["\n  query ProjectMailReports($id: ID!) {\n    sendingProject(id: $id) {\n      uuid\n      mailReportCounts {\n        providerClass\n        bounced\n        hard\n        mailboxFull\n        content\n        policy\n        soft\n        deferred\n        complaints\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectTraffic(\n    $id: ID!\n    $interval: Interval!\n    $from: DateTime\n    $until: DateTime\n    $timezone: String!\n  ) {\n    sendingProject(id: $id) {\n      uuid\n      statistics(interval: $interval, dateFrom: $from, dateTo: $until, timezone: $timezone) {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n  }\n"): (typeof documents)["\n  query ProjectTraffic(\n    $id: ID!\n    $interval: Interval!\n    $from: DateTime\n    $until: DateTime\n    $timezone: String!\n  ) {\n    sendingProject(id: $id) {\n      uuid\n      statistics(interval: $interval, dateFrom: $from, dateTo: $until, timezone: $timezone) {\n        from\n        sent\n        delivered\n        failed\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RepeatableRow on RepeatableSendingProject {\n    uuid\n    name\n    status\n    nextRunAt\n    lastRunAt\n    runs\n    lastError\n    createdAt\n    schedule {\n      rrule\n      cron\n      timezone\n      startAt\n      endAt\n      maxRuns\n      misfire\n    }\n  }\n"): (typeof documents)["\n  fragment RepeatableRow on RepeatableSendingProject {\n    uuid\n    name\n    status\n    nextRunAt\n    lastRunAt\n    runs\n    lastError\n    createdAt\n    schedule {\n      rrule\n      cron\n      timezone\n      startAt\n      endAt\n      maxRuns\n      misfire\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RepeatableRows($first: Int!, $after: String) {\n    repeatableSendingProjects(first: $first, after: $after) {\n      nodes {\n        ...RepeatableRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query RepeatableRows($first: Int!, $after: String) {\n    repeatableSendingProjects(first: $first, after: $after) {\n      nodes {\n        ...RepeatableRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneRepeatable($id: ID!, $accounts: Boolean!, $recipients: Boolean!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      nextRuns(count: 8)\n      template {\n        channel\n        subject\n        text\n        variants {\n          text\n          weight\n        }\n      }\n      recipientImport @include(if: $recipients) {\n        uuid\n        fileName\n        valid\n      }\n      sourceProject {\n        uuid\n        name\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n      }\n      sendingProjects(first: 20) {\n        nodes {\n          ...ProjectRow\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneRepeatable($id: ID!, $accounts: Boolean!, $recipients: Boolean!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      nextRuns(count: 8)\n      template {\n        channel\n        subject\n        text\n        variants {\n          text\n          weight\n        }\n      }\n      recipientImport @include(if: $recipients) {\n        uuid\n        fileName\n        valid\n      }\n      sourceProject {\n        uuid\n        name\n      }\n      account @include(if: $accounts) {\n        uuid\n        name\n      }\n      sendingProjects(first: 20) {\n        nodes {\n          ...ProjectRow\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartRepeatable($id: ID!) {\n    startRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n"): (typeof documents)["\n  mutation StartRepeatable($id: ID!) {\n    startRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopRepeatable($id: ID!) {\n    stopRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n"): (typeof documents)["\n  mutation StopRepeatable($id: ID!) {\n    stopRepeatableSendingProject(id: $id) {\n      ...RepeatableRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteRepeatable($id: ID!) {\n    deleteRepeatableSendingProject(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteRepeatable($id: ID!) {\n    deleteRepeatableSendingProject(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ProjectToRepeat($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n    }\n  }\n"): (typeof documents)["\n  query ProjectToRepeat($id: ID!) {\n    sendingProject(id: $id) {\n      ...ProjectSettings\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateRepeatable($input: NewRepeatableProject!) {\n    createRepeatableSendingProject(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateRepeatable($input: NewRepeatableProject!) {\n    createRepeatableSendingProject(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RepeatableToEdit($id: ID!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      template {\n        channel\n        accountId\n        accountUuids\n        from\n        sender\n        subject\n        html\n        text\n        attachmentUuids\n        onMissingVariable\n        stopOnReply\n        category\n        variants {\n          text\n          weight\n        }\n        template {\n          name\n          language\n          params\n        }\n        window {\n          timezone\n          days\n          from\n          to\n          recipientTimezone\n        }\n        speed {\n          perMinute\n          perAccountPerMinute\n          jitterSeconds\n        }\n        retry {\n          maxAttempts\n          backoffSeconds\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query RepeatableToEdit($id: ID!) {\n    repeatableSendingProject(id: $id) {\n      ...RepeatableRow\n      template {\n        channel\n        accountId\n        accountUuids\n        from\n        sender\n        subject\n        html\n        text\n        attachmentUuids\n        onMissingVariable\n        stopOnReply\n        category\n        variants {\n          text\n          weight\n        }\n        template {\n          name\n          language\n          params\n        }\n        window {\n          timezone\n          days\n          from\n          to\n          recipientTimezone\n        }\n        speed {\n          perMinute\n          perAccountPerMinute\n          jitterSeconds\n        }\n        retry {\n          maxAttempts\n          backoffSeconds\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateRepeatable($id: ID!, $input: RepeatablePatch!) {\n    updateRepeatableSendingProject(id: $id, input: $input) {\n      ...RepeatableRow\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateRepeatable($id: ID!, $input: RepeatablePatch!) {\n    updateRepeatableSendingProject(id: $id, input: $input) {\n      ...RepeatableRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConfiguredRoutes {\n    systemRoutes {\n      name\n      channel\n      driver\n      label\n      state\n      since\n      probeAt\n      enabled\n      ignoresReceipts\n      made\n    }\n  }\n"): (typeof documents)["\n  query ConfiguredRoutes {\n    systemRoutes {\n      name\n      channel\n      driver\n      label\n      state\n      since\n      probeAt\n      enabled\n      ignoresReceipts\n      made\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RouteReceipts {\n    routeQuality {\n      route\n      prefix\n      sent\n      delivered\n      sentBefore\n      deliveredBefore\n      degradedSince\n      retryAt\n    }\n  }\n"): (typeof documents)["\n  query RouteReceipts {\n    routeQuality {\n      route\n      prefix\n      sent\n      delivered\n      sentBefore\n      deliveredBefore\n      degradedSince\n      retryAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateRoute($input: NewSystemRoute!) {\n    createSystemRoute(input: $input) {\n      name\n    }\n  }\n"): (typeof documents)["\n  mutation CreateRoute($input: NewSystemRoute!) {\n    createSystemRoute(input: $input) {\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteRoute($name: String!) {\n    deleteSystemRoute(name: $name)\n  }\n"): (typeof documents)["\n  mutation DeleteRoute($name: String!) {\n    deleteSystemRoute(name: $name)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SwitchRoute($name: String!, $enabled: Boolean!) {\n    setSystemRoute(name: $name, input: { enabled: $enabled }) {\n      name\n      enabled\n    }\n  }\n"): (typeof documents)["\n  mutation SwitchRoute($name: String!, $enabled: Boolean!) {\n    setSystemRoute(name: $name, input: { enabled: $enabled }) {\n      name\n      enabled\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation IgnoreReceipts($name: String!, $ignoresReceipts: Boolean!) {\n    setSystemRoute(name: $name, input: { ignoresReceipts: $ignoresReceipts }) {\n      name\n      ignoresReceipts\n    }\n  }\n"): (typeof documents)["\n  mutation IgnoreReceipts($name: String!, $ignoresReceipts: Boolean!) {\n    setSystemRoute(name: $name, input: { ignoresReceipts: $ignoresReceipts }) {\n      name\n      ignoresReceipts\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RouteRulePage($first: Int!, $after: String, $where: RouteRuleWhere) {\n    routeRules(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        prefix\n        country\n        route\n        category\n        priority\n        weight\n        fallback\n        owner {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query RouteRulePage($first: Int!, $after: String, $where: RouteRuleWhere) {\n    routeRules(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        prefix\n        country\n        route\n        category\n        priority\n        weight\n        fallback\n        owner {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateRouteRule($input: RouteRuleInput!) {\n    createRouteRule(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreateRouteRule($input: RouteRuleInput!) {\n    createRouteRule(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateRouteRule($id: ID!, $input: RouteRuleInput!) {\n    updateRouteRule(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateRouteRule($id: ID!, $input: RouteRuleInput!) {\n    updateRouteRule(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteRouteRule($id: ID!) {\n    deleteRouteRule(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteRouteRule($id: ID!) {\n    deleteRouteRule(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RouteUsers($where: UserWhere!) {\n    users(first: 20, where: $where) {\n      nodes {\n        uuid\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query RouteUsers($where: UserWhere!) {\n    users(first: 20, where: $where) {\n      nodes {\n        uuid\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RouteFor($input: TraceRoute!) {\n    routeFor(input: $input) {\n      to\n      country\n      candidates {\n        route\n        use\n        state\n        why\n      }\n      waits {\n        message\n      }\n      sender\n      senderWhy\n      price\n      currency\n      pricePrefix\n      refusal {\n        code\n        message\n      }\n    }\n  }\n"): (typeof documents)["\n  query RouteFor($input: TraceRoute!) {\n    routeFor(input: $input) {\n      to\n      country\n      candidates {\n        route\n        use\n        state\n        why\n      }\n      waits {\n        message\n      }\n      sender\n      senderWhy\n      price\n      currency\n      pricePrefix\n      refusal {\n        code\n        message\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SenderIdPage($first: Int!, $after: String, $where: SenderWhere, $admin: Boolean!) {\n    senders(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        kind\n        value\n        countries\n        state\n        reason\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query SenderIdPage($first: Int!, $after: String, $where: SenderWhere, $admin: Boolean!) {\n    senders(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        channel\n        kind\n        value\n        countries\n        state\n        reason\n        createdAt\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SameSenders($value: String!) {\n    senders(first: 20, where: { value: { eq: $value }, channel: { eq: sms } }) {\n      nodes {\n        uuid\n        value\n        state\n        owner {\n          uuid\n          email\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query SameSenders($value: String!) {\n    senders(first: 20, where: { value: { eq: $value }, channel: { eq: sms } }) {\n      nodes {\n        uuid\n        value\n        state\n        owner {\n          uuid\n          email\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RequestSender($input: NewSender!) {\n    requestSender(input: $input) {\n      value\n      state\n    }\n  }\n"): (typeof documents)["\n  mutation RequestSender($input: NewSender!) {\n    requestSender(input: $input) {\n      value\n      state\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSender($id: ID!, $input: SenderPatch!) {\n    updateSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateSender($id: ID!, $input: SenderPatch!) {\n    updateSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DecideSender($id: ID!, $input: SenderDecision!) {\n    decideSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n"): (typeof documents)["\n  mutation DecideSender($id: ID!, $input: SenderDecision!) {\n    decideSender(id: $id, input: $input) {\n      value\n      state\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteSenderId($id: ID!) {\n    deleteSender(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteSenderId($id: ID!) {\n    deleteSender(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SenderPage(\n    $first: Int!\n    $after: String\n    $where: SourceAccountWhere\n    $admin: Boolean!\n    $messengers: Boolean!\n  ) {\n    sourceAccounts(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        status\n        tokenHint\n        createdAt\n        messengerAccount @include(if: $messengers) {\n          uuid\n          name\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query SenderPage(\n    $first: Int!\n    $after: String\n    $where: SourceAccountWhere\n    $admin: Boolean!\n    $messengers: Boolean!\n  ) {\n    sourceAccounts(first: $first, after: $after, where: $where) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        status\n        tokenHint\n        createdAt\n        messengerAccount @include(if: $messengers) {\n          uuid\n          name\n        }\n        owner @include(if: $admin) {\n          uuid\n          email\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PossibleSenders($where: MessengerAccountWhere!) {\n    messengerAccounts(first: 100, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        sourceAccounts(first: 1) {\n          nodes {\n            uuid\n          }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query PossibleSenders($where: MessengerAccountWhere!) {\n    messengerAccounts(first: 100, where: $where, orderBy: { field: name, direction: asc }) {\n      nodes {\n        uuid\n        source\n        login\n        name\n        sourceAccounts(first: 1) {\n          nodes {\n            uuid\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateSender($input: NewSourceAccount!) {\n    createSourceAccount(input: $input) {\n      uuid\n      name\n    }\n  }\n"): (typeof documents)["\n  mutation CreateSender($input: NewSourceAccount!) {\n    createSourceAccount(input: $input) {\n      uuid\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteSender($id: ID!) {\n    deleteSourceAccount(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteSender($id: ID!) {\n    deleteSourceAccount(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AllSettings($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n    me {\n      uuid\n      accounts(first: 100) {\n        nodes {\n          uuid\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query AllSettings($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n    me {\n      uuid\n      accounts(first: 100) {\n        nodes {\n          uuid\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneSetting($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n  }\n"): (typeof documents)["\n  query OneSetting($scope: Scope!, $account: ID) {\n    settings(scope: $scope, accountId: $account)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetSetting($input: SetSetting!) {\n    setSetting(input: $input) {\n      key\n      value\n    }\n  }\n"): (typeof documents)["\n  mutation SetSetting($input: SetSetting!) {\n    setSetting(input: $input) {\n      key\n      value\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteSetting($input: DeleteSetting!) {\n    deleteSetting(input: $input)\n  }\n"): (typeof documents)["\n  mutation DeleteSetting($input: DeleteSetting!) {\n    deleteSetting(input: $input)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StoredValues($first: Int!, $after: String, $where: StorageValueWhere) {\n    storageValues(first: $first, after: $after, where: $where) {\n      nodes {\n        key\n        value\n        ttlSeconds\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query StoredValues($first: Int!, $after: String, $where: StorageValueWhere) {\n    storageValues(first: $first, after: $after, where: $where) {\n      nodes {\n        key\n        value\n        ttlSeconds\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StoredValue($key: String!) {\n    storageValue(key: $key) {\n      key\n      value\n      ttlSeconds\n    }\n  }\n"): (typeof documents)["\n  query StoredValue($key: String!) {\n    storageValue(key: $key) {\n      key\n      value\n      ttlSeconds\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PutStoredValue($input: PutStorageValue!) {\n    putStorageValue(input: $input) {\n      key\n    }\n  }\n"): (typeof documents)["\n  mutation PutStoredValue($input: PutStorageValue!) {\n    putStorageValue(input: $input) {\n      key\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteStoredValue($key: String!) {\n    deleteStorageValue(key: $key)\n  }\n"): (typeof documents)["\n  mutation DeleteStoredValue($key: String!) {\n    deleteStorageValue(key: $key)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DoctorReport($fresh: Boolean!) {\n    doctor(fresh: $fresh) {\n      version\n      python\n      embedded\n      examinedAt\n      leftOut\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n"): (typeof documents)["\n  query DoctorReport($fresh: Boolean!) {\n    doctor(fresh: $fresh) {\n      version\n      python\n      embedded\n      examinedAt\n      leftOut\n      findings {\n        severity\n        topic\n        text\n        advice\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Sending {\n    systemRoutes {\n      name\n      driver\n      label\n      state\n      since\n      probeAt\n      concurrency\n      totalConcurrency\n      enabled\n    }\n    queueStatistics {\n      background {\n        kind\n        waiting\n        atWork\n        users\n      }\n    }\n    processingHealth {\n      status\n      projects {\n        uuid\n        status\n        stuck\n        lastProgressAt\n        workers\n        project {\n          uuid\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Sending {\n    systemRoutes {\n      name\n      driver\n      label\n      state\n      since\n      probeAt\n      concurrency\n      totalConcurrency\n      enabled\n    }\n    queueStatistics {\n      background {\n        kind\n        waiting\n        atWork\n        users\n      }\n    }\n    processingHealth {\n      status\n      projects {\n        uuid\n        status\n        stuck\n        lastProgressAt\n        workers\n        project {\n          uuid\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AllowlistInUse {\n    ipAllowlist {\n      mode\n      file\n      entries\n      networks\n      everyone\n      loadedAt\n      error\n      yourAddress\n      yourReason\n    }\n  }\n"): (typeof documents)["\n  query AllowlistInUse {\n    ipAllowlist {\n      mode\n      file\n      entries\n      networks\n      everyone\n      loadedAt\n      error\n      yourAddress\n      yourReason\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AllowlistLines {\n    ipAllowlistLines {\n      at\n      address\n      method\n      path\n      reason\n      blocked\n      listed\n    }\n  }\n"): (typeof documents)["\n  query AllowlistLines {\n    ipAllowlistLines {\n      at\n      address\n      method\n      path\n      reason\n      blocked\n      listed\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ParseMailReport($input: ParseMailReport!) {\n    parseMailReport(input: $input) {\n      ignored\n      token\n      ours\n      message {\n        messageUuid\n        to\n        state\n      }\n      recipients {\n        type\n        bounceClass\n        address\n        status\n        code\n        diagnostic\n      }\n      effect {\n        outcome\n        failureCode\n        block\n      }\n    }\n  }\n"): (typeof documents)["\n  query ParseMailReport($input: ParseMailReport!) {\n    parseMailReport(input: $input) {\n      ignored\n      token\n      ours\n      message {\n        messageUuid\n        to\n        state\n      }\n      recipients {\n        type\n        bounceClass\n        address\n        status\n        code\n        diagnostic\n      }\n      effect {\n        outcome\n        failureCode\n        block\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TariffFields on Tariff {\n    code\n    name\n    public\n    maxConcurrentProjects\n    maxRecipientsPerProject\n    messagesPerDay\n    messagesPerMinute\n    channels\n    prices\n    priceListId\n  }\n"): (typeof documents)["\n  fragment TariffFields on Tariff {\n    code\n    name\n    public\n    maxConcurrentProjects\n    maxRecipientsPerProject\n    messagesPerDay\n    messagesPerMinute\n    channels\n    prices\n    priceListId\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnTariff {\n    tariff {\n      code\n      name\n      maxConcurrentProjects\n      messagesPerDay\n      used {\n        concurrentProjects\n        messagesToday\n        resetsAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query OwnTariff {\n    tariff {\n      code\n      name\n      maxConcurrentProjects\n      messagesPerDay\n      used {\n        concurrentProjects\n        messagesToday\n        resetsAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TariffPage($first: Int!, $after: String) {\n    tariffs(first: $first, after: $after) {\n      nodes {\n        ...TariffFields\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query TariffPage($first: Int!, $after: String) {\n    tariffs(first: $first, after: $after) {\n      nodes {\n        ...TariffFields\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneTariff($code: String!) {\n    tariffs(where: { code: { eq: $code } }) {\n      nodes {\n        ...TariffFields\n      }\n    }\n    tariff {\n      code\n    }\n  }\n"): (typeof documents)["\n  query OneTariff($code: String!) {\n    tariffs(where: { code: { eq: $code } }) {\n      nodes {\n        ...TariffFields\n      }\n    }\n    tariff {\n      code\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TariffUsers($code: String!) {\n    users(first: 1, where: { tariffCode: { eq: $code } }) {\n      totalCount\n    }\n  }\n"): (typeof documents)["\n  query TariffUsers($code: String!) {\n    users(first: 1, where: { tariffCode: { eq: $code } }) {\n      totalCount\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SaveTariff($input: SetTariff!) {\n    setTariff(input: $input) {\n      code\n    }\n  }\n"): (typeof documents)["\n  mutation SaveTariff($input: SetTariff!) {\n    setTariff(input: $input) {\n      code\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment PriceListRow on PriceList {\n    uuid\n    name\n    currency\n    strict\n    current {\n      number\n      size\n      validFrom\n    }\n  }\n"): (typeof documents)["\n  fragment PriceListRow on PriceList {\n    uuid\n    name\n    currency\n    strict\n    current {\n      number\n      size\n      validFrom\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PriceListPage($first: Int!, $after: String) {\n    priceLists(first: $first, after: $after) {\n      nodes {\n        ...PriceListRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query PriceListPage($first: Int!, $after: String) {\n    priceLists(first: $first, after: $after) {\n      nodes {\n        ...PriceListRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OnePriceList($id: ID!) {\n    priceList(id: $id) {\n      ...PriceListRow\n      versions(first: 50) {\n        nodes {\n          number\n          size\n          validFrom\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query OnePriceList($id: ID!) {\n    priceList(id: $id) {\n      ...PriceListRow\n      versions(first: 50) {\n        nodes {\n          number\n          size\n          validFrom\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PricesOfList($id: ID!, $begins: String!, $version: Int, $first: Int!) {\n    prices(listId: $id, begins: $begins, version: $version, first: $first) {\n      nodes {\n        channel\n        prefix\n        country\n        price\n        cost\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n"): (typeof documents)["\n  query PricesOfList($id: ID!, $begins: String!, $version: Int, $first: Int!) {\n    prices(listId: $id, begins: $begins, version: $version, first: $first) {\n      nodes {\n        channel\n        prefix\n        country\n        price\n        cost\n      }\n      pageInfo {\n        hasNextPage\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePriceList($input: NewPriceList!) {\n    createPriceList(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation CreatePriceList($input: NewPriceList!) {\n    createPriceList(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdatePriceList($id: ID!, $input: PriceListPatch!) {\n    updatePriceList(id: $id, input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation UpdatePriceList($id: ID!, $input: PriceListPatch!) {\n    updatePriceList(id: $id, input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeletePriceList($id: ID!) {\n    deletePriceList(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeletePriceList($id: ID!) {\n    deletePriceList(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddPriceListVersion($id: ID!, $input: NewPriceListVersion!) {\n    addPriceListVersion(id: $id, input: $input) {\n      number\n      size\n      validFrom\n    }\n  }\n"): (typeof documents)["\n  mutation AddPriceListVersion($id: ID!, $input: NewPriceListVersion!) {\n    addPriceListVersion(id: $id, input: $input) {\n      number\n      size\n      validFrom\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeletePriceListVersion($id: ID!, $number: Int!) {\n    deletePriceListVersion(id: $id, number: $number)\n  }\n"): (typeof documents)["\n  mutation DeletePriceListVersion($id: ID!, $number: Int!) {\n    deletePriceListVersion(id: $id, number: $number)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment UserRow on User {\n    uuid\n    email\n    displayName\n    status\n    roles\n    createdAt\n  }\n"): (typeof documents)["\n  fragment UserRow on User {\n    uuid\n    email\n    displayName\n    status\n    roles\n    createdAt\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UserPage($first: Int!, $after: String, $where: UserWhere, $count: Boolean!) {\n    users(first: $first, after: $after, where: $where) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n"): (typeof documents)["\n  query UserPage($first: Int!, $after: String, $where: UserWhere, $count: Boolean!) {\n    users(first: $first, after: $after, where: $where) {\n      nodes {\n        ...UserRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount @include(if: $count)\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneUser($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n      tariff {\n        code\n        name\n      }\n      accounts(first: 20) {\n        nodes {\n          uuid\n          name\n          balance\n          currency\n          lowBalance\n        }\n        totalCount\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneUser($id: ID!) {\n    user(id: $id) {\n      ...UserRow\n      tariff {\n        code\n        name\n      }\n      accounts(first: 20) {\n        nodes {\n          uuid\n          name\n          balance\n          currency\n          lowBalance\n        }\n        totalCount\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TariffChoices {\n    tariffs(first: 100) {\n      nodes {\n        code\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query TariffChoices {\n    tariffs(first: 100) {\n      nodes {\n        code\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Invite($input: Invite!) {\n    inviteUser(input: $input) {\n      userId\n      token\n      expiresAt\n    }\n  }\n"): (typeof documents)["\n  mutation Invite($input: Invite!) {\n    inviteUser(input: $input) {\n      userId\n      token\n      expiresAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MakeUser($input: NewUser!) {\n    createUser(input: $input) {\n      uuid\n    }\n  }\n"): (typeof documents)["\n  mutation MakeUser($input: NewUser!) {\n    createUser(input: $input) {\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeUser($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      ...UserRow\n    }\n  }\n"): (typeof documents)["\n  mutation ChangeUser($id: ID!, $input: UserPatch!) {\n    updateUser(id: $id, input: $input) {\n      ...UserRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Suspend($id: ID!) {\n    suspendUser(id: $id) {\n      ...UserRow\n    }\n  }\n"): (typeof documents)["\n  mutation Suspend($id: ID!) {\n    suspendUser(id: $id) {\n      ...UserRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Activate($id: ID!) {\n    activateUser(id: $id) {\n      ...UserRow\n    }\n  }\n"): (typeof documents)["\n  mutation Activate($id: ID!) {\n    activateUser(id: $id) {\n      ...UserRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteUser($id: ID!) {\n    deleteUser(id: $id)\n  }\n"): (typeof documents)["\n  mutation DeleteUser($id: ID!) {\n    deleteUser(id: $id)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation GiveTariff($code: String!, $user: UUID!) {\n    setTariff(input: { code: $code, userUuid: $user }) {\n      code\n      name\n    }\n  }\n"): (typeof documents)["\n  mutation GiveTariff($code: String!, $user: UUID!) {\n    setTariff(input: { code: $code, userUuid: $user }) {\n      code\n      name\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcceptInvitation($input: AcceptInvitation!) {\n    acceptInvitation(input: $input) {\n      accessToken\n    }\n  }\n"): (typeof documents)["\n  mutation AcceptInvitation($input: AcceptInvitation!) {\n    acceptInvitation(input: $input) {\n      accessToken\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateFirstUser($input: FirstUser!) {\n    createFirstUser(input: $input) {\n      accessToken\n    }\n  }\n"): (typeof documents)["\n  mutation CreateFirstUser($input: FirstUser!) {\n    createFirstUser(input: $input) {\n      accessToken\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RequestPasswordReset($input: PasswordResetRequest!) {\n    requestPasswordReset(input: $input)\n  }\n"): (typeof documents)["\n  mutation RequestPasswordReset($input: PasswordResetRequest!) {\n    requestPasswordReset(input: $input)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResetPassword($input: NewPassword!) {\n    resetPassword(input: $input)\n  }\n"): (typeof documents)["\n  mutation ResetPassword($input: NewPassword!) {\n    resetPassword(input: $input)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InvitedUser {\n    me {\n      email\n      uuid\n    }\n  }\n"): (typeof documents)["\n  query InvitedUser {\n    me {\n      email\n      uuid\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndInvitedLogin {\n    logout\n  }\n"): (typeof documents)["\n  mutation EndInvitedLogin {\n    logout\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment AuditRow on AuditEntry {\n    uuid\n    createdAt\n    ownerId\n    actorId\n    actorEmail\n    actorKind\n    actor @include(if: $actors) {\n      email\n    }\n    tokenId\n    operation\n    objectType\n    objectId\n    result\n    code\n    ip\n    changes\n  }\n"): (typeof documents)["\n  fragment AuditRow on AuditEntry {\n    uuid\n    createdAt\n    ownerId\n    actorId\n    actorEmail\n    actorKind\n    actor @include(if: $actors) {\n      email\n    }\n    tokenId\n    operation\n    objectType\n    objectId\n    result\n    code\n    ip\n    changes\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditPage($first: Int!, $after: String, $where: AuditEntryWhere, $actors: Boolean!) {\n    auditEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query AuditPage($first: Int!, $after: String, $where: AuditEntryWhere, $actors: Boolean!) {\n    auditEntries(first: $first, after: $after, where: $where) {\n      nodes {\n        ...AuditRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Actors {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        uuid\n        userUuid\n        email\n      }\n    }\n  }\n"): (typeof documents)["\n  query Actors {\n    members(first: 100, where: { joined: { eq: true } }) {\n      nodes {\n        uuid\n        userUuid\n        email\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UploadList($file: Upload!) {\n    uploadFile(file: $file) {\n      uuid\n      name\n      size\n    }\n  }\n"): (typeof documents)["\n  mutation UploadList($file: Upload!) {\n    uploadFile(file: $file) {\n      uuid\n      name\n      size\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportFiles($where: ExportLinkWhere!, $first: Int!) {\n    exportLinks(first: $first, where: $where) {\n      nodes {\n        uuid\n        source\n        status\n        statusReason\n        format\n        total\n        done\n        url\n        createdAt\n      }\n    }\n  }\n"): (typeof documents)["\n  query ExportFiles($where: ExportLinkWhere!, $first: Int!) {\n    exportLinks(first: $first, where: $where) {\n      nodes {\n        uuid\n        source\n        status\n        statusReason\n        format\n        total\n        done\n        url\n        createdAt\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartExport($input: StartExport!) {\n    startExport(input: $input) {\n      uuid\n      status\n    }\n  }\n"): (typeof documents)["\n  mutation StartExport($input: StartExport!) {\n    startExport(input: $input) {\n      uuid\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelExport($id: ID!) {\n    cancelExport(id: $id) {\n      uuid\n      status\n    }\n  }\n"): (typeof documents)["\n  mutation CancelExport($id: ID!) {\n    cancelExport(id: $id) {\n      uuid\n      status\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportColumns($source: String!) {\n    exportVariables(source: $source) {\n      name\n      label\n      example\n    }\n  }\n"): (typeof documents)["\n  query ExportColumns($source: String!) {\n    exportVariables(source: $source) {\n      name\n      label\n      example\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OneImport($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      fileName\n      total\n      valid\n      invalid\n      duplicates\n      contacts {\n        created\n        changed\n        unchanged\n        subscribed\n        suppressed\n      }\n    }\n  }\n"): (typeof documents)["\n  query OneImport($id: ID!) {\n    recipientImport(id: $id) {\n      uuid\n      status\n      statusReason\n      fileName\n      total\n      valid\n      invalid\n      duplicates\n      contacts {\n        created\n        changed\n        unchanged\n        subscribed\n        suppressed\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BadRows($id: ID!, $first: Int!, $after: String) {\n    recipientImport(id: $id) {\n      uuid\n      rows(first: $first, after: $after, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            code\n            message\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query BadRows($id: ID!, $first: Int!, $after: String) {\n    recipientImport(id: $id) {\n      uuid\n      rows(first: $first, after: $after, where: { valid: { eq: false } }) {\n        nodes {\n          line\n          error {\n            code\n            message\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Countries($language: String) {\n    countries(language: $language) {\n      code\n      name\n      dialCode\n    }\n  }\n"): (typeof documents)["\n  query Countries($language: String) {\n    countries(language: $language) {\n      code\n      name\n      dialCode\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SendingChannels {\n    sendingChannels {\n      channel\n      sandbox\n      setting\n    }\n  }\n"): (typeof documents)["\n  query SendingChannels {\n    sendingChannels {\n      channel\n      sandbox\n      setting\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Permissions {\n    permissions {\n      name\n      description\n      presets\n      granted\n    }\n  }\n"): (typeof documents)["\n  query Permissions {\n    permissions {\n      name\n      description\n      presets\n      granted\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SegmentChoices($where: SegmentWhere) {\n    newest: segments(first: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    oldest: segments(last: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"): (typeof documents)["\n  query SegmentChoices($where: SegmentWhere) {\n    newest: segments(first: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n    oldest: segments(last: 100, where: $where) {\n      nodes {\n        uuid\n        name\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SenderDomains($where: DomainWhere!, $senders: SenderWhere!) {\n    domains(first: 100, where: $where) {\n      nodes {\n        name\n        status\n      }\n    }\n    senders(first: 100, where: $senders) {\n      nodes {\n        value\n      }\n    }\n  }\n"): (typeof documents)["\n  query SenderDomains($where: DomainWhere!, $senders: SenderWhere!) {\n    domains(first: 100, where: $where) {\n      nodes {\n        name\n        status\n      }\n    }\n    senders(first: 100, where: $senders) {\n      nodes {\n        value\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ApprovedSenders($where: SenderWhere!) {\n    senders(first: 100, where: $where) {\n      nodes {\n        value\n      }\n    }\n  }\n"): (typeof documents)["\n  query ApprovedSenders($where: SenderWhere!) {\n    senders(first: 100, where: $where) {\n      nodes {\n        value\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SenderChoice($to: String!, $sender: String) {\n    senderChoice(to: $to, sender: $sender) {\n      sender\n      kind\n      country\n      why\n    }\n  }\n"): (typeof documents)["\n  query SenderChoice($to: String!, $sender: String) {\n    senderChoice(to: $to, sender: $sender) {\n      sender\n      kind\n      country\n      why\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation VerifySecondFactor($input: SecondFactorCode!) {\n    verifySecondFactor(input: $input) {\n      freshUntil\n    }\n  }\n"): (typeof documents)["\n  mutation VerifySecondFactor($input: SecondFactorCode!) {\n    verifySecondFactor(input: $input) {\n      freshUntil\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n"): (typeof documents)["\n  mutation LogoutEverywhere {\n    logoutEverywhere\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TopicRow on Topic {\n    uuid\n    key\n    name\n    description\n    category\n    optIn\n    public\n    position\n    translations {\n      locale\n      name\n      description\n    }\n  }\n"): (typeof documents)["\n  fragment TopicRow on Topic {\n    uuid\n    key\n    name\n    description\n    category\n    optIn\n    public\n    position\n    translations {\n      locale\n      name\n      description\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Topics($where: TopicWhere) {\n    topics(first: 100, where: $where, orderBy: { direction: asc }) {\n      nodes {\n        ...TopicRow\n      }\n    }\n  }\n"): (typeof documents)["\n  query Topics($where: TopicWhere) {\n    topics(first: 100, where: $where, orderBy: { direction: asc }) {\n      nodes {\n        ...TopicRow\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n"): (typeof documents)["\n  query Queue {\n    queueStatistics {\n      ...QueueFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n"): (typeof documents)["\n  subscription QueueChanged {\n    queueStatisticsChanged {\n      ...QueueFields\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n"): (typeof documents)["\n  fragment QueueFields on QueueStatistics {\n    queued\n    sending\n    oldestQueuedSeconds\n    perMinute\n    workers {\n      name\n      units\n      lastSeenAt\n    }\n    routes {\n      name\n      state\n      since\n      probeAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n    memberships {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n"): (typeof documents)["\n  query Viewer {\n    me {\n      uuid\n      email\n      displayName\n      locale\n      roles\n    }\n    memberships {\n      uuid\n      ownerUuid\n      ownerEmail\n      ownerName\n      role\n      permissions\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;