import { graphql } from "../../gql";

export const AllSettings = graphql(`
  query AllSettings($scope: Scope!, $account: ID) {
    settings(scope: $scope, accountId: $account)
    me {
      uuid
      accounts(first: 100) {
        nodes {
          uuid
          name
        }
      }
    }
  }
`);

/** All settings at this moment: a setting that is absent is not an error here. */
export const OneSetting = graphql(`
  query OneSetting($scope: Scope!, $account: ID) {
    settings(scope: $scope, accountId: $account)
  }
`);

export const SetSetting = graphql(`
  mutation SetSetting($input: SetSetting!) {
    setSetting(input: $input) {
      key
      value
    }
  }
`);

export const DeleteSetting = graphql(`
  mutation DeleteSetting($input: DeleteSetting!) {
    deleteSetting(input: $input)
  }
`);

export const StoredValues = graphql(`
  query StoredValues($first: Int!, $after: String, $where: StorageValueWhere) {
    storageValues(first: $first, after: $after, where: $where) {
      nodes {
        key
        value
        ttlSeconds
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const StoredValue = graphql(`
  query StoredValue($key: String!) {
    storageValue(key: $key) {
      key
      value
      ttlSeconds
    }
  }
`);

export const PutStoredValue = graphql(`
  mutation PutStoredValue($input: PutStorageValue!) {
    putStorageValue(input: $input) {
      key
    }
  }
`);

export const DeleteStoredValue = graphql(`
  mutation DeleteStoredValue($key: String!) {
    deleteStorageValue(key: $key)
  }
`);
