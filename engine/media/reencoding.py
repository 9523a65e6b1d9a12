"""Decodes a picture of a user and encodes it anew. It runs in the child process of runtime/render_pool alone.

Only pixels go from one to the other. Text, EXIF with a camera's position, comments, colour profiles, and whatever
stands behind the end of the picture, such as a page with a script, are not written again.
"""

import base64
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageOps

from engine.media.limits import BYTES, FRAMES, PIXELS, PIXELS_OF_ALL, SIDE

_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP")
_EXTENSIONS: Final = {"PNG": "png", "JPEG": "jpg", "GIF": "gif"}
_HEAD = 4096  # bytes in which a WebP says how it is compressed
_QUALITY = 90
_SHORTEST, _LONGEST = 20, 60_000  # milliseconds of a frame
_Size = tuple[int, int]
_PNG_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})


class _TooLarge(Exception):
    """The picture is beyond a limit."""


@dataclass(frozen=True, slots=True)
class _Frames:
    count: int
    transparent: bool  # at least one of them is, in part


def reencode(path: str) -> dict[str, Any]:
    """Returns the new picture: `extension`, `mime`, `width`, `height`, `frames` and, in base64, `data`.

    Or `bad`: "limits" if it is too large, "unreadable" if it is none of the formats or is damaged. Raises MemoryError.
    """
    Image.MAX_IMAGE_PIXELS = PIXELS  # Pillow refuses more before it reserves memory for them
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return _reencoded(Path(path))
    except MemoryError:
        raise
    except (_TooLarge, Image.DecompressionBombWarning, Image.DecompressionBombError):
        return {"bad": "limits"}
    except Exception:  # Pillow's decoders raise whatever a damaged file leads them to
        return {"bad": "unreadable"}


def _reencoded(path: Path) -> dict[str, Any]:
    with Image.open(path, formats=_FORMATS) as image:
        _check(image)
        target = _target(image, path)
        out = BytesIO()
        size, frames = _write_animation(image, out) if target == "GIF" else _write_still(image, out, target)
    if out.tell() > BYTES:
        raise _TooLarge
    return {
        "extension": _EXTENSIONS[target],
        "mime": f"image/{target.lower()}",
        "width": size[0],
        "height": size[1],
        "frames": frames,
        "data": base64.b64encode(out.getbuffer()).decode("ascii"),
    }


def _check(image: Image.Image) -> None:
    width, height = image.size
    if max(width, height) > SIDE or width * height > PIXELS:
        raise _TooLarge


def _target(image: Image.Image, path: Path) -> str:
    """Returns the format to write. Mail clients don't show WebP, so one becomes what keeps its content best."""
    if image.format in ("PNG", "GIF"):
        return image.format
    if image.format != "WEBP":
        return "JPEG"  # also the first picture of a file with several (MPO), as some phones write
    if getattr(image, "is_animated", False):
        return "GIF"
    with path.open("rb") as file:
        is_lossless = b"VP8L" in file.read(_HEAD)
    return "PNG" if is_lossless or image.has_transparency_data else "JPEG"


def _write_still(image: Image.Image, out: BytesIO, target: str) -> tuple[_Size, int]:
    """Writes one picture, turned as its EXIF says. Returns its size, and 1."""
    image.load()
    with suppress(Exception):  # damaged EXIF: the picture stays as it lies
        image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):  # 16 bits a pixel
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if target == "JPEG":
        bare = _bare(image if image.mode in ("L", "RGB") else image.convert("RGB"))
        bare.save(out, "JPEG", quality=_QUALITY, optimize=True)
    else:
        bare = _bare(image if image.mode in _PNG_MODES else image.convert("RGBA"))
        bare.save(out, "PNG")
    return bare.size, 1


def _bare(image: Image.Image) -> Image.Image:
    """Returns a copy without what encoders would take over: comments, profiles, positions. Transparency stays."""
    bare = image.copy()
    bare.info = {key: value for key, value in image.info.items() if key == "transparency"}
    return bare


def _write_animation(image: Image.Image, out: BytesIO) -> tuple[_Size, int]:
    """Writes a GIF. Returns its size and the number of its frames."""
    frames = _examine(image)
    durations: list[int] = []
    copies = _copies(image, frames, durations)
    first = next(copies)
    if frames.count == 1:
        first.save(out, "GIF")
        return first.size, 1
    loop = image.info.get("loop")
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=copies,
        duration=durations,  # it grows with the frames that the encoder asks for
        disposal=2 if frames.transparent else 1,
        **({} if loop is None else {"loop": min(int(loop), 0xFFFF)}),
    )
    return first.size, frames.count


def _examine(image: Image.Image) -> _Frames:
    """Counts the frames, and stops at the first one beyond a limit: a small file may have a million of them."""
    count, transparent = 0, False
    while True:
        try:
            image.seek(count)
        except EOFError:
            break
        count += 1
        _check(image)  # a frame may make the canvas larger
        if count > FRAMES or count * image.width * image.height > PIXELS_OF_ALL:
            raise _TooLarge
        transparent = transparent or _is_transparent(image)
    image.seek(0)
    return _Frames(count, transparent)


def _is_transparent(frame: Image.Image) -> bool:
    """Returns whether anything shows through a composed frame. That its format could have such pixels says nothing."""
    return (
        frame.has_transparency_data and frame.convert("RGBA").getchannel("A").tobytes().strip(b"\xff") != b""
    )


def _copies(image: Image.Image, frames: _Frames, durations: list[int]) -> Iterator[Image.Image]:
    for index in range(frames.count):
        image.seek(index)
        durations.append(max(_SHORTEST, min(int(image.info.get("duration") or 100), _LONGEST)))
        if frames.count == 1:
            yield _bare(image if image.mode in ("1", "L", "P") else image.convert("RGBA"))
        else:
            yield _bare(image.convert("RGBA" if frames.transparent else "RGB"))
