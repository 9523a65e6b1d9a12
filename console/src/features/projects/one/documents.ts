import { graphql } from "../../../gql";

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
