import { graphql } from "../../../gql";

/** The projects that follow this one, with what became of their messages. */
export const FollowUpsOfProject = graphql(`
  query FollowUpsOfProject($id: ID!) {
    sendingProject(id: $id) {
      uuid
      followUps(first: 20) {
        nodes {
          uuid
          name
          channel
          status
          counts {
            total
            sent
            delivered
            read
            failed
          }
        }
      }
    }
  }
`);

/** The links of its emails, with who has clicked on them. */
export const ProjectLinks = graphql(`
  query ProjectLinks($id: ID!) {
    sendingProject(id: $id) {
      uuid
      links {
        uuid
        url
        humans
        machines
        anonymous
      }
    }
  }
`);

export const ProjectMailReports = graphql(`
  query ProjectMailReports($id: ID!) {
    sendingProject(id: $id) {
      uuid
      mailReportCounts {
        providerClass
        bounced
        hard
        mailboxFull
        content
        policy
        soft
        deferred
        complaints
      }
    }
  }
`);

/** What a project came to; null for what can't be measured. */
export const ProjectOutcome = graphql(`
  fragment ProjectOutcome on SendingProject {
    result {
      intended
      accepted
      reportsDelivery
      delivered
      cameBack
      bounced
      refused
      complained
      replied
      unsubscribed
    }
  }
`);
