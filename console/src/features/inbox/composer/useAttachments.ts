import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import type { Problem } from "../../../frame/api/errors";
import { isProblem, uploadList } from "../../../frame/files/upload";
import { InboxForgetFile } from "../documents";
import { kindOf, MOST_BYTES, MOST_FILES } from "../model";
import type { SentFile } from "../outbox";

export interface Attachment {
  id: number;
  name: string;
  kind: SentFile["kind"];
  size: number;
  /** from 0 to 1 */
  share: number;
  /** null until it is uploaded */
  uuid: string | null;
}

export interface Attachments {
  files: Attachment[];
  refusal: { kind: "tooMany" } | { kind: "tooLarge"; name: string } | null;
  problem: Problem | null;
  add: (files: File[]) => void;
  remove: (id: number) => void;
  clear: () => void;
}

let lastId = 0;

/** The files of the message that is being written. They are uploaded at once, and sent with the message. */
export function useAttachments(): Attachments {
  const client = useClient();
  const [files, setFiles] = useState<Attachment[]>([]);
  const [refusal, setRefusal] = useState<Attachments["refusal"]>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (id: number, part: Partial<Attachment>) =>
    setFiles((all) => all.map((item) => (item.id === id ? { ...item, ...part } : item)));
  const drop = (id: number) => setFiles((all) => all.filter((item) => item.id !== id));
  const forget = useCallback(
    (uuid: string) => void client.mutation(InboxForgetFile, { id: uuid }).toPromise(),
    [client],
  );
  // The uuids of uploaded files by their ids here, and the ids of files that were removed while they were uploaded.
  const uploaded = useRef(new Map<number, string>());
  const removed = useRef(new Set<number>());
  // Files that were uploaded and not sent are of no use to anybody once the chat is left.
  const left = useRef(false);
  useEffect(() => {
    const waiting = uploaded.current;
    left.current = false;
    return () => {
      left.current = true;
      for (const uuid of waiting.values()) forget(uuid);
      waiting.clear();
    };
  }, [forget]);

  async function upload(id: number, file: File) {
    const answer = await uploadList(client, file, (share) => change(id, { share }));
    const unwanted = left.current || removed.current.delete(id);
    if (isProblem(answer)) {
      drop(id);
      if (!unwanted) setProblem(answer);
    } else if (unwanted) forget(answer.uuid);
    else {
      uploaded.current.set(id, answer.uuid);
      change(id, { uuid: answer.uuid, share: 1 });
    }
  }
  function add(picked: File[]) {
    setProblem(null);
    setRefusal(null);
    let room = MOST_FILES - files.length;
    for (const file of picked) {
      if (file.size > MOST_BYTES) setRefusal({ kind: "tooLarge", name: file.name });
      else if (room <= 0) setRefusal({ kind: "tooMany" });
      else {
        room -= 1;
        const id = ++lastId;
        const { name, size } = file;
        setFiles((all) => [...all, { id, name, size, kind: kindOf(file.type), share: 0, uuid: null }]);
        void upload(id, file);
      }
    }
  }
  function remove(id: number) {
    const uuid = uploaded.current.get(id);
    if (uuid) forget(uuid);
    else removed.current.add(id);
    uploaded.current.delete(id);
    drop(id);
  }
  function clear() {
    uploaded.current.clear();
    setFiles([]);
  }
  return { files, refusal, problem, add, remove, clear };
}
