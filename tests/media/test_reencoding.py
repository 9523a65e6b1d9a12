"""Pictures are written anew or refused. These tests call the function of the child process itself."""

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.media import limits
from engine.media.reencoding import reencode
from tests.media.samples import PAGE, SVG, animation, declared_png, decoded, endless_gif, photo, picture


@pytest.fixture
def written(tmp_path: Path):
    def write(data: bytes) -> dict[str, Any]:
        path = tmp_path / "picture"
        path.write_bytes(data)
        answer = reencode(str(path))
        return {**answer, "data": base64.b64decode(answer["data"])} if "data" in answer else answer

    return write


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_a_png_keeps_its_pixels(written, mode: str):
    answer = written(picture("PNG", mode=mode))
    assert (answer["mime"], answer["extension"]) == ("image/png", "png")
    assert (answer["width"], answer["height"], answer["frames"]) == (8, 6, 1)
    before, after = decoded(picture("PNG", mode=mode)), decoded(answer["data"])
    assert before.convert("RGBA").tobytes() == after.convert("RGBA").tobytes()


def test_a_png_of_16_bits_becomes_one_of_8(written):
    out = BytesIO()
    Image.new("I;16", (4, 4), 0x8000).save(out, "PNG")
    after = decoded(written(out.getvalue())["data"])
    assert (after.mode, after.getpixel((0, 0))) == ("L", 128)


def test_the_transparency_of_a_palette_stays(written):
    image = Image.new("P", (2, 1), 0)
    image.putpalette([255, 0, 0, 0, 255, 0])
    image.putpixel((1, 0), 1)
    out = BytesIO()
    image.save(out, "PNG", transparency=1)
    after = decoded(written(out.getvalue())["data"]).convert("RGBA")
    assert [after.getpixel((x, 0))[3] for x in range(2)] == [255, 0]


def test_a_position_and_a_camera_are_gone_and_the_picture_stands_upright(written):
    exif = Image.Exif()
    exif[0x0112] = 6  # it lies on its right side
    exif[0x010F] = "Camera of Ada"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)  # GPSLatitude
    data = photo(exif=exif, comment=b"secret comment", icc_profile=b"secret profile" * 40)
    assert all(word in data for word in (b"Camera of Ada", b"secret comment", b"secret profile"))
    answer = written(data)
    assert not [word for word in (b"Camera", b"secret", b"Exif", b"ICC_PROFILE") if word in answer["data"]]
    after = decoded(answer["data"])
    assert not after.getexif() and {*after.info} <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert after.size == (answer["width"], answer["height"]) == (32, 64)
    assert after.getpixel((16, 8))[0] > 200 and after.getpixel((16, 56))[2] > 200  # red above, blue below


def test_text_of_a_png_is_gone(written):
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Comment", "<script>alert(1)</script>")
    data = picture("PNG", pnginfo=info)
    assert b"<script>" in data
    assert b"<script>" not in written(data)["data"]


@pytest.mark.parametrize("make", [photo, picture, lambda: picture("GIF"), lambda: animation(3)])
def test_a_page_behind_a_picture_is_dropped(written, make):
    answer = written(make() + PAGE)
    assert b"script" not in answer["data"] and b"html" not in answer["data"]


def test_a_comment_of_a_gif_is_gone(written):
    assert PAGE in animation(3, comment=PAGE)
    assert b"script" not in written(animation(3, comment=PAGE))["data"]
    assert b"script" not in written(picture("GIF", comment=PAGE))["data"]


def test_an_animation_keeps_its_frames_and_times(written):
    answer = written(animation(5))
    assert (answer["mime"], answer["frames"]) == ("image/gif", 5)
    after = decoded(answer["data"])
    assert (after.n_frames, after.info["loop"]) == (5, 0)
    for index in range(5):
        after.seek(index)
        assert after.info["duration"] == 120
        assert abs(after.convert("RGB").getpixel((0, 0))[0] - index * 40 % 256) < 8


def test_what_moves_away_leaves_nothing_behind_in_a_transparent_animation(written):
    images = []
    for index in range(3):
        image = Image.new("RGBA", (12, 4), (0, 0, 0, 0))
        image.paste((255, 0, 0, 255), (index * 4, 0, index * 4 + 4, 4))
        images.append(image)
    out = BytesIO()
    images[0].save(out, "GIF", save_all=True, append_images=images[1:], duration=100, disposal=2)
    after = decoded(written(out.getvalue())["data"])
    for index in range(3):
        after.seek(index)
        alpha = [after.convert("RGBA").getpixel((x, 1))[3] for x in (1, 5, 9)]
        assert alpha == [255 if each == index else 0 for each in range(3)]


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        (picture("WEBP", lossless=True), "image/png"),
        (picture("WEBP", mode="RGBA", quality=50), "image/png"),
        (picture("WEBP", quality=50), "image/jpeg"),
        (animation(3, format="WEBP"), "image/gif"),
    ],
)
def test_a_webp_becomes_what_mail_programs_show(written, data: bytes, mime: str):
    answer = written(data)
    assert (answer["mime"], answer["frames"]) == (mime, 3 if mime == "image/gif" else 1)
    assert f"image/{decoded(answer['data']).format.lower()}" == mime


def test_a_jpeg_of_a_printer_becomes_one_of_a_screen(written):
    assert decoded(written(picture("JPEG", mode="CMYK", color=(0, 0, 0, 0)))["data"]).mode == "RGB"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        SVG,
        PAGE,
        b"GIF89a" + PAGE,
        b"\xff\xd8\xff\xe0" + PAGE,
        b"BM" + bytes(100),
        photo()[:-400],
        picture()[:40],
        picture("BMP"),
        picture("TIFF"),
        picture("PPM"),
    ],
)
def test_what_is_no_such_picture_is_unreadable(written, data: bytes):
    assert written(data) == {"bad": "unreadable"}


@pytest.mark.parametrize(
    "data",
    [
        declared_png(30_000, 30_000),
        declared_png(limits.SIDE + 1, 1),
        declared_png(5000, 4000),
        endless_gif(250_000),
        endless_gif(limits.FRAMES + 1),
        animation(9, size=(2000, 2000)),
    ],
)
def test_what_is_too_large_is_refused(written, data: bytes):
    assert written(data) == {"bad": "limits"}


def test_frames_are_counted_no_further_than_the_limit(written, monkeypatch):
    from PIL import GifImagePlugin

    seeks = []
    seek = GifImagePlugin.GifImageFile.seek
    monkeypatch.setattr(
        GifImagePlugin.GifImageFile, "seek", lambda self, frame: (seeks.append(frame), seek(self, frame))[1]
    )
    assert written(endless_gif(300_000)) == {"bad": "limits"}
    assert max(seeks) <= limits.FRAMES
