import { graphql } from "../../../gql";

export const SignupFormRow = graphql(`
  fragment SignupFormRow on SignupForm {
    uuid
    name
    topicUuids
    text
    from
    redirectUrl
    enabled
  }
`);

// An owner has at most 100.
export const SignupForms = graphql(`
  query SignupForms($where: SignupFormWhere) {
    signupForms(first: 100, where: $where) {
      nodes {
        ...SignupFormRow
      }
    }
  }
`);

export const CreateSignupForm = graphql(`
  mutation CreateSignupForm($input: NewSignupForm!) {
    createSignupForm(input: $input) {
      uuid
    }
  }
`);

export const UpdateSignupForm = graphql(`
  mutation UpdateSignupForm($id: ID!, $input: SignupFormPatch!) {
    updateSignupForm(id: $id, input: $input) {
      uuid
    }
  }
`);

export const DeleteSignupForm = graphql(`
  mutation DeleteSignupForm($id: ID!) {
    deleteSignupForm(id: $id)
  }
`);

/** The address of a form's page, and the HTML of it for a page of one's own, in the colors of the brand. */
export const EmbedOfForm = graphql(`
  query EmbedOfForm($id: ID!) {
    signupFormEmbed(id: $id) {
      url
      html
    }
  }
`);
