"""Pictures and what looks like them."""

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>'
PAGE = b"<html><script>alert(document.domain)</script></html>"


def picture(format: str = "PNG", size: tuple[int, int] = (8, 6), mode: str = "RGB", **options: Any) -> bytes:
    out = BytesIO()
    Image.new(mode, size, options.pop("color", None) or 128).save(out, format, **options)
    return out.getvalue()


def photo(**options: Any) -> bytes:
    """A JPEG whose left half is red and whose right half is blue."""
    image = Image.new("RGB", (64, 32), (255, 0, 0))
    image.paste((0, 0, 255), (32, 0, 64, 32))
    out = BytesIO()
    image.save(out, "JPEG", quality=95, **options)
    return out.getvalue()


def animation(frames: int, size: tuple[int, int] = (4, 4), format: str = "GIF", **options: Any) -> bytes:
    images = [Image.new("RGB", size, (index * 40 % 256, 0, 0)) for index in range(frames)]
    out = BytesIO()
    images[0].save(out, format, save_all=True, append_images=images[1:], duration=120, loop=0, **options)
    return out.getvalue()


def endless_gif(frames: int) -> bytes:
    """A GIF of frames of one pixel, without the encoder: a million of them have 17 MB."""
    head = b"GIF89a" + struct.pack("<HH", 1, 1) + b"\xf0\x00\x00" + b"\x00\x00\x00\xff\xff\xff"
    frame = b"\x2c" + struct.pack("<HHHH", 0, 0, 1, 1) + b"\x00\x02\x02\x44\x01\x00"
    return head + frame * frames + b";"


def declared_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says how large it is, with a beginning of its pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(100_000)))
        + chunk(b"IEND", b"")
    )


def decoded(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image
