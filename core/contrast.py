"""Contrast of colors, as the Web Content Accessibility Guidelines (WCAG 2.2) define it. Colors are `#rrggbb`."""

from typing import Final

AA: Final = 4.5
"""The contrast of text that WCAG's level AA asks for (1.4.3)."""

AA_CONTROLS: Final = 3.0
"""The contrast of the borders of fields (1.4.11)."""

_DARKEST_OF_CURVE: Final = 0.04045


def contrast(first: str, second: str) -> float:
    """Returns the contrast ratio of two colors, from 1 to 21."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(first: str, second: str, part: float) -> str:
    """Returns a color between two: `part` of the second, and the rest of the first."""
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(start + (end - start) * part):02x}" for start, end in pairs)


def legible_on(background: str) -> str:
    """Returns black or white: that with more contrast, which is at least 4.58."""
    return max("#000000", "#ffffff", key=lambda color: contrast(color, background))


def made_legible(color: str, background: str, needed: float = AA) -> str:
    """Returns the color, mixed with black or white as little as the contrast with the background asks for."""
    towards = legible_on(background)
    steps = (mixed(color, towards, step / 20) for step in range(20))
    return next((each for each in steps if contrast(each, background) >= needed), towards)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    if channel <= _DARKEST_OF_CURVE:
        return channel / 12.92
    return float(((channel + 0.055) / 1.055) ** 2.4)
