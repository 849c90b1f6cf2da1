"""How figures look, and how they become the same bytes each time.

Text of dumps (names of proxies and domains) is drawn as it is: never as mathematics.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, ParamSpec

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from userproxybench.stats import Interval

Side = Literal["left", "right", "center"]
Format = Literal["png", "svg", "pdf"]
FORMATS: tuple[Format, ...] = ("png", "svg", "pdf")

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8C6D00", "#444444")
"""Okabe & Ito's colours, the yellow darkened to be readable."""
INK, GREY, PALE = "#222222", "#777777", "#D9D9D9"
HALO = (withStroke(linewidth=2.5, foreground="white"),)
"""Keeps text readable over lines."""

_STYLE = Path(__file__).with_name("figures.mplstyle")
_METADATA: Mapping[Format, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
}
_OFFSETS: tuple[tuple[float, float, Side], ...] = (
    (9, 0, "left"),
    (9, 8, "left"),
    (9, -8, "left"),
    (-9, 0, "right"),
    (-9, 8, "right"),
    (-9, -8, "right"),
    (0, 13, "center"),
    (0, -13, "center"),
    (9, 18, "left"),
    (9, -18, "left"),
    (-9, 18, "right"),
    (-9, -18, "right"),
)
"""Where a label may stand beside its point, in points, best first."""
_LONGEST = 36
"""Characters of a name that are drawn."""
_CHARACTER = 5.0
"""Width of a character of a label, in points."""

Box = tuple[float, float, float, float]
Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """A drawing function under the style of this package, whatever the caller's settings."""

    def wrapper(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with _style():
            return draw(*args, **kwargs)

    wrapper.__doc__ = draw.__doc__
    wrapper.__name__ = draw.__name__
    return wrapper


def rendered(figure: Figure, kind: Format) -> bytes:
    """The figure as a file, without date or version, so that equal figures are equal bytes."""
    out = io.BytesIO()
    with _style():
        figure.savefig(out, format=kind, metadata=_METADATA[kind], bbox_inches="tight")
    return out.getvalue()


def shortened(name: str) -> str:
    """A name that leaves room for the figure."""
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def colour(at: int) -> str:
    """The colour of the proxy at this place."""
    return PALETTE[at % len(PALETTE)]


def whisker(ax: Axes, x: float, interval: Interval | None, shade: str) -> None:
    """An upright interval at `x`, where there is one."""
    if interval is not None:
        ax.plot([x, x], [interval.low, interval.high], color=shade, linewidth=1, alpha=0.7)


def share_axis(ax: Axes) -> None:
    """An upright axis of shares: never far outside [0, 1], and never so narrow that noise looms."""
    low, high = ax.get_ylim()
    middle, reach = (low + high) / 2, max(high - low, 0.2) / 2
    ax.set_ylim(max(middle - reach, -0.03), min(middle + reach, 1.03))


def note(
    ax: Axes,
    text: str,
    spot: tuple[float, float],
    *,
    align: tuple[Side, Literal["top", "center", "bottom"]] = ("left", "center"),
    shade: str = INK,
    from_axis: bool = False,
) -> None:
    """A small text at a point of the data; with `from_axis` x is a share of the axes' width."""
    ax.annotate(
        text,
        spot,
        xycoords=("axes fraction", "data") if from_axis else "data",
        ha=align[0],
        va=align[1],
        fontsize=7.5,
        color=shade,
        path_effects=HALO,
    )


def footer(figure: Figure, text: str) -> None:
    """A line of small print under the figure."""
    figure.supxlabel(text, x=0.01, ha="left", fontsize=7, color=GREY)


def key(ax: Axes, names: Sequence[str]) -> None:
    """Coloured names over the axes, in the order of the dots."""
    rows = -(-len(names) // 4)
    for at, name in enumerate(names):
        row, column = divmod(at, 4)
        ax.annotate(
            f"\N{BLACK CIRCLE} {shortened(name)}",
            (0.25 * column, 1.0),
            xycoords="axes fraction",
            textcoords="offset points",
            xytext=(0, 6 + 12 * (rows - 1 - row)),
            fontsize=8,
            color=colour(at),
        )


def label_points(
    figure: Figure, ax: Axes, spots: Sequence[tuple[float, float]], texts: Sequence[str]
) -> None:
    """Put each label beside its point, where it covers no other point or label.

    Call it last: it asks where the points come to lie.
    """
    figure.draw_without_rendering()
    scale = figure.dpi / 72
    pixels = ax.transData.transform(np.array(spots, dtype=float).reshape(-1, 2))
    taken: list[Box] = [(x - 9, y - 9, x + 9, y + 9) for x, y in pixels]
    inside: Box = (ax.bbox.x0, ax.bbox.y0, ax.bbox.x1, ax.bbox.y1)
    for at in np.argsort(-pixels[:, 1], kind="stable").tolist():
        size = (_CHARACTER * len(texts[at]) * scale, 9 * scale)
        boxes = [_box(pixels[at], offset, size, scale) for offset in _OFFSETS]
        badness = [_covered(box, taken) + _outside(box, inside) for box in boxes]
        best = badness.index(min(badness))
        taken.append(boxes[best])
        dx, dy, side = _OFFSETS[best]
        ax.annotate(
            texts[at],
            spots[at],
            textcoords="offset points",
            xytext=(dx, dy),
            ha=side,
            va="center",
            fontsize=8,
            color=colour(at),
            path_effects=HALO,
        )


@contextmanager
def _style() -> Iterator[None]:
    """Our settings; a name in a script that the font lacks is drawn as boxes without a warning."""
    with mpl.rc_context(fname=_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        yield


def _box(
    spot: NDArray[np.float64],
    offset: tuple[float, float, Side],
    size: tuple[float, float],
    scale: float,
) -> Box:
    x, y = float(spot[0]) + offset[0] * scale, float(spot[1]) + offset[1] * scale
    left = {"left": x, "right": x - size[0], "center": x - size[0] / 2}[offset[2]]
    return (left, y - size[1] / 2, left + size[0], y + size[1] / 2)


def _covered(box: Box, taken: Sequence[Box]) -> float:
    """Area of the label that something else already covers."""
    return sum(_overlap(box, other) for other in taken)


def _outside(box: Box, inside: Box) -> float:
    """Area of the label that lies outside the axes."""
    return (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, inside)


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)
