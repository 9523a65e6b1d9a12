import { graphql } from "../../../gql";

export const ReportFields = graphql(`
  fragment ReportFields on MailReport {
    uuid
    type
    bounceClass
    status
    code
    diagnostic
    createdAt
  }
`);

export const ReportMail = graphql(`
  query ReportMail($id: ID!) {
    mailReportMail(id: $id) {
      mail
    }
  }
`);
