export const MOST_FILES = 10;

/** Bytes of one attachment that a message can carry; the texts call it 25 MiB. */
export const LARGEST = 25 * 1024 * 1024;
