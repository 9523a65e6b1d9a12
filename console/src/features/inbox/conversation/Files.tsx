import { Anchor, Text } from "@mantine/core";
import { IconFile, IconMicrophone, IconMusic, IconPhoto, IconVideo } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { fileSize } from "../../../frame/files/fileSize";
import { withMarks } from "../../../frame/values/marks";
import classes from "../inbox.module.css";
import { fileLink, type Message } from "../model";

type Content = Message["content"][number];

const ICONS = {
  image: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
  voice: IconMicrophone,
  file: IconFile,
} as const;
const MOST_PREVIEWED = 5 * 1024 * 1024; // bytes of a picture that is loaded without a click

export function Files({ content }: { content: readonly Content[] }) {
  return content.map((file, index) => <OneFile key={index} file={file} />);
}

function OneFile({ file }: { file: Content }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [failed, setFailed] = useState(false);
  const link = fileLink(file.src);
  const name = withMarks(file.filename ?? t(`inbox.kinds.${file.type}`));
  const Icon = ICONS[file.type];
  // Files from elsewhere are links: this page loads nothing from other servers.
  const shown = link?.ours && !failed;
  if (shown && file.type === "image" && (file.size ?? 0) <= MOST_PREVIEWED) {
    return (
      <a href={link.href} download={name} className={classes.picture} title={t("inbox.download", { name })}>
        <img
          src={link.href}
          alt={t("inbox.download", { name })}
          loading="lazy"
          onError={() => setFailed(true)}
        />
      </a>
    );
  }
  return (
    <div className={classes.file}>
      {shown && (file.type === "voice" || file.type === "audio") && (
        <audio controls preload="none" src={link.href} aria-label={name} className={classes.player} />
      )}
      {shown && file.type === "video" && (
        <video controls preload="none" src={link.href} aria-label={name} className={classes.player} />
      )}
      <span className={classes.fileLine}>
        <Icon size={18} stroke={1.6} aria-hidden />
        {link && !failed ? (
          <Anchor
            href={link.href}
            size="sm"
            c="inherit"
            underline="always"
            {...(link.ours ? { download: name } : { target: "_blank", rel: "noreferrer noopener" })}
            aria-label={t(link.ours ? "inbox.download" : "inbox.open", { name })}
          >
            {name}
          </Anchor>
        ) : (
          <span>{name}</span>
        )}
        {file.size !== null && (
          <Text component="span" size="xs" c="dimmed">
            {fileSize(file.size, format.language)}
          </Text>
        )}
      </span>
      {failed && (
        <Text size="xs" c="dimmed">
          {t("inbox.noFile")}
        </Text>
      )}
    </div>
  );
}
