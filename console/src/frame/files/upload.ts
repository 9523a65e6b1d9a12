import type { Client } from "urql";
import { requestHeaders } from "../api/early";
import { problemOf, type Problem } from "../api/errors";
import { UploadList } from "./documents";

/** A fetch that reports how much of the body is sent, which the browser's own can't. */
export function fetchWithProgress(onProgress: (share: number) => void): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const url = input instanceof Request ? input.url : String(input);
      request.open(init?.method ?? "POST", url);
      new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) onProgress(event.loaded / event.total);
      };
      request.onload = () => {
        const headers = new Headers();
        for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
          const [name = "", ...value] = line.split(": ");
          if (name) headers.append(name, value.join(": "));
        }
        resolve(new Response(request.responseText, { status: request.status, headers }));
      };
      request.onerror = () => reject(new TypeError("The upload was not answered."));
      request.onabort = () => reject(new DOMException("The upload was canceled.", "AbortError"));
      init?.signal?.addEventListener("abort", () => request.abort());
      request.send(init?.body as XMLHttpRequestBodyInit);
    });
}

export interface Uploaded {
  uuid: string;
  name: string;
  /** bytes */
  size: number;
}

/** Uploads a file as a GraphQL form. */
export async function uploadList(
  client: Client,
  file: File,
  onProgress: (share: number) => void,
): Promise<Uploaded | Problem> {
  const result = await client
    .mutation(
      UploadList,
      { file },
      {
        fetch: fetchWithProgress(onProgress),
        fetchOptions: {
          credentials: "same-origin",
          headers: { ...requestHeaders(), Accept: "application/json", "GraphQL-Require-Preflight": "1" },
        },
      },
    )
    .toPromise();
  if (result.data?.uploadFile) return result.data.uploadFile;
  return result.error ? problemOf(result.error) : { code: "network", message: "", fields: {} };
}

export function isProblem(answer: Uploaded | Problem): answer is Problem {
  return "code" in answer;
}
