import { graphql } from "../../gql";

export const BrandFields = graphql(`
  fragment BrandFields on Brand {
    name
    logoUuid
    logoUrl
    colors {
      background
      text
      accent
      buttonText
    }
    darkColors {
      background
      text
      accent
      buttonText
    }
    font
    address
    imprint
    links {
      text
      url
    }
    footers {
      locale
      text
    }
    replyAddress
  }
`);

export const OneBrand = graphql(`
  query OneBrand {
    brand {
      ...BrandFields
    }
  }
`);

export const PreviewBrand = graphql(`
  query PreviewBrand($input: SetBrand!, $locale: String) {
    brandPreview(input: $input, locale: $locale) {
      html
      contrasts {
        field
        text
        on
        ratio
        enough
      }
    }
  }
`);

export const SaveBrand = graphql(`
  mutation SaveBrand($input: SetBrand!) {
    setBrand(input: $input) {
      ...BrandFields
    }
  }
`);

export const DeleteBrand = graphql(`
  mutation DeleteBrand {
    deleteBrand
  }
`);

export const LogoPictures = graphql(`
  query LogoPictures {
    pictures(first: 50) {
      nodes {
        uuid
        name
        url
      }
    }
  }
`);

export const UploadLogo = graphql(`
  mutation UploadLogo($file: Upload!) {
    uploadPicture(file: $file) {
      uuid
      name
      url
    }
  }
`);

export const LinkDomains = graphql(`
  query LinkDomains {
    brandDomains(first: 20) {
      nodes {
        uuid
        name
        status
        recordName
        recordValue
        problem
      }
    }
  }
`);

export const AddLinkDomain = graphql(`
  mutation AddLinkDomain($input: NewBrandDomain!) {
    createBrandDomain(input: $input) {
      uuid
    }
  }
`);

export const CheckLinkDomain = graphql(`
  mutation CheckLinkDomain($id: ID!) {
    verifyBrandDomain(id: $id) {
      uuid
      name
      status
    }
  }
`);

export const DeleteLinkDomain = graphql(`
  mutation DeleteLinkDomain($id: ID!) {
    deleteBrandDomain(id: $id)
  }
`);
