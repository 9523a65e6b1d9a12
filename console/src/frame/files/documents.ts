import { graphql } from "../../gql";

export const UploadList = graphql(`
  mutation UploadList($file: Upload!) {
    uploadFile(file: $file) {
      uuid
      name
      size
    }
  }
`);

export const ExportFiles = graphql(`
  query ExportFiles($where: ExportLinkWhere!, $first: Int!) {
    exportLinks(first: $first, where: $where) {
      nodes {
        uuid
        source
        status
        statusReason
        format
        total
        done
        url
        filters
        createdAt
      }
    }
  }
`);

export const StartExport = graphql(`
  mutation StartExport($input: StartExport!) {
    startExport(input: $input) {
      uuid
      status
    }
  }
`);

export const CancelExport = graphql(`
  mutation CancelExport($id: ID!) {
    cancelExport(id: $id) {
      uuid
      status
    }
  }
`);

export const ExportColumns = graphql(`
  query ExportColumns($source: String!) {
    exportVariables(source: $source) {
      name
      label
      example
    }
  }
`);
