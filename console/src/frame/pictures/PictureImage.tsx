import type { Picture } from "./usePictures";
import { shownAt } from "./address";
import classes from "./pictures.module.css";

/** A picture in a list, with an empty alt text: its name stands beside it. */
export function PictureImage({ picture }: { picture: Picture }) {
  const src = shownAt(picture.url);
  return (
    <div className={classes.image}>
      {src && <img src={src} alt="" loading="lazy" width={picture.width} height={picture.height} />}
    </div>
  );
}
