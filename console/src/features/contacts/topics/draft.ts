import type { Topic } from "../../../frame/topics/useTopics";
import type { NewTopic } from "../../../gql/graphql";

export interface Translation {
  locale: string;
  name: string;
  description: string;
}

/** A topic as its form has it. */
export interface TopicDraft extends Record<string, unknown> {
  name: string;
  key: string;
  description: string;
  category: Topic["category"];
  optIn: Topic["optIn"];
  public: boolean;
  position: number | string;
  translations: Translation[];
}

export const NO_TRANSLATION: Translation = { locale: "", name: "", description: "" };

export function draftOf(topic: Topic | undefined): TopicDraft {
  return {
    name: topic?.name ?? "",
    key: topic?.key ?? "",
    description: topic?.description ?? "",
    category: topic?.category ?? "promotional",
    optIn: topic?.optIn ?? "double",
    public: topic?.public ?? true,
    position: topic?.position ?? 0,
    translations: (topic?.translations ?? []).map(({ locale, name, description }) => ({
      locale,
      name,
      description: description ?? "",
    })),
  };
}

/** Returns what is sent; languages without anything are left out. */
export function inputOf(draft: TopicDraft): NewTopic {
  const { category, optIn } = draft;
  return {
    name: draft.name.trim(),
    key: draft.key.trim(),
    description: draft.description.trim() || null,
    category,
    optIn,
    public: draft.public,
    position: Number(draft.position) || 0,
    translations: draft.translations
      .map(({ locale, name, description }) => ({
        locale: locale.trim(),
        name: name.trim(),
        description: description.trim() || null,
      }))
      .filter(({ locale, name, description }) => locale || name || description),
  };
}
