import { useState } from "react";
import { useClient } from "urql";
import { requestHeaders } from "../api/early";
import { problemOf, type Problem } from "../api/errors";
import { fetchWithProgress } from "../files/upload";
import { usePagedQuery } from "../list/PagedList";
import { useViewer } from "../session";
import type { PictureOrder, PictureTileFragment } from "../../gql/graphql";
import { PicturePage, UploadPicture } from "./documents";

export type Picture = PictureTileFragment;

const PAGE = 48;

/** The viewer's pictures, page by page. */
export function usePictures(name = "", orderBy: PictureOrder = { field: "createdAt", direction: "desc" }) {
  const { ownerUuid } = useViewer();
  const text = name.trim();
  return usePagedQuery(
    `pictures?${JSON.stringify([ownerUuid, text, orderBy])}`,
    PicturePage,
    (after) => ({
      first: PAGE,
      after,
      where: { ownerId: { eq: ownerUuid }, ...(text && { name: { contains: text } }) },
      orderBy,
    }),
    (data) => data.pictures,
    { pollWith: "update" },
  );
}

/** Uploads pictures one after another. One that is refused is named, and those behind it are not sent. */
export function usePictureUploads(onUploaded: (pictures: readonly Picture[]) => void) {
  const client = useClient();
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [refused, setRefused] = useState<{ name: string; problem: Problem } | null>(null);

  async function upload(files: readonly File[]) {
    setRefused(null);
    const stored: Picture[] = [];
    for (const file of files) {
      setSending({ name: file.name, share: 0 });
      const { data, error } = await client
        .mutation(
          UploadPicture,
          { file },
          {
            fetch: fetchWithProgress((share) => setSending({ name: file.name, share })),
            fetchOptions: {
              credentials: "same-origin",
              headers: { ...requestHeaders(), Accept: "application/json", "GraphQL-Require-Preflight": "1" },
            },
          },
        )
        .toPromise();
      if (error || !data?.uploadPicture) {
        const problem = error ? problemOf(error) : { code: "network", message: "", fields: {} };
        setRefused({ name: file.name, problem });
        break;
      }
      stored.push(data.uploadPicture);
    }
    setSending(null);
    if (stored.length > 0) onUploaded(stored);
  }
  return { upload, sending, refused };
}

export type PictureUploads = ReturnType<typeof usePictureUploads>;
