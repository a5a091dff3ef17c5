"""Makes docs/images/play.gif, the moving picture of `gbandit play` in the README.

    cargo build --release
    npm install --prefix tests/dashboard --no-package-lock
    pip install pillow
    python3 scripts/play_picture.py

It needs node and Chromium, as the tests of the page do; GBANDIT and CHROMIUM name other programs
than target/release/gbandit and /usr/bin/chromium. scripts/play_frames.mjs plays the race and takes
the frames; this file encodes them. All frames share one palette, so that only what moves changes.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    from PIL import Image
except ModuleNotFoundError:
    sys.exit("Pillow is missing; install it with: pip install pillow")

ROOT = Path(__file__).resolve().parent.parent
FRAME_MS = 80  # as in play_frames.mjs
FIRST_MS = 700
LAST_MS = 2500
COLOURS = 256
# GitHub shows larger files, but a reader on a slow line waits for them.
MOST_BYTES = 1_500_000


def most_common_colours(pictures: list[Image.Image]) -> Image.Image:
    """A palette of the colours that cover most of these pictures, each as it is.

    The page is flat areas with soft edges. Methods that average colours would tint the areas.
    """
    found: Counter[tuple[int, ...]] = Counter()
    for picture in pictures:
        for count, colour in picture.getcolors(picture.width * picture.height) or []:
            found[colour] += count
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour, _ in found.most_common(COLOURS) for part in colour])
    return palette


def encode(frames: list[Path], target: Path) -> None:
    """Writes the frames as one GIF that repeats endlessly."""
    pictures = [Image.open(frame).convert("RGB") for frame in frames]
    palette = most_common_colours(pictures[:: len(pictures) // 8])
    flat = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    times = [FIRST_MS, *[FRAME_MS] * (len(flat) - 2), LAST_MS]
    flat[0].save(target, save_all=True, append_images=flat[1:], duration=times, loop=0)


def main() -> None:
    """Takes the frames, encodes them, and refuses a picture that is too large."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", nargs="?", type=Path, default=ROOT / "docs/images/play.gif")
    target = parser.parse_args().target
    with tempfile.TemporaryDirectory() as folder:
        script = ROOT / "scripts" / "play_frames.mjs"
        subprocess.run(["node", str(script), folder], cwd=ROOT, check=True)
        encode(sorted(Path(folder).glob("*.png")), target)
    size = target.stat().st_size
    print(f"{target}: {size:,} bytes")
    if size > MOST_BYTES:
        sys.exit(f"{target} is larger than {MOST_BYTES:,} bytes; take fewer frames or colours")


if __name__ == "__main__":
    main()
