"""The limits of pictures. They stand apart, so that the API's process does not load the library that decodes."""

from typing import Final

UPLOADED_BYTES: Final = 5 * 2**20  # of a picture as it comes
SIDE: Final = 8_000  # pixels of width or height
PIXELS: Final = 16_000_000  # of one frame
PIXELS_OF_ALL: Final = 32_000_000  # of all frames
FRAMES: Final = 500
BYTES: Final = 10 * 2**20  # of the result
SECONDS: Final = 8.0  # of processor time in which a picture has to be written anew
