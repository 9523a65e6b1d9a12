// As engine/media makes the names of pictures.
const NAME = /^[0-9a-f]{32}\.(?:png|jpg|gif)$/;

/**
 * Returns the path at which the console can show a picture of a letter; null: it is not one of this service.
 *
 * Letters have the address of the operator's CDN, from which the console's policy loads nothing. The service itself
 * has each of its pictures at /media.
 */
export function shownAt(url: string): string | null {
  try {
    const { pathname } = new URL(url);
    const name = pathname.slice(pathname.lastIndexOf("/") + 1);
    return NAME.test(name) ? `/media/${name}` : null;
  } catch {
    return null;
  }
}
