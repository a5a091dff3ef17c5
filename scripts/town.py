"""Makes a town: a directed street network with travel times, as OSMnx writes GraphML.

    python3 scripts/town.py --junctions 1000 --seed 1 town.graphml

Streets form a bent grid. Every fourth is an arterial, fast and two-way; most of the others are
slow, and most of these lead one way. A river with few bridges cuts the town in two, some streets
are dead ends, some are doubled. Every junction can be reached from every other. The same arguments
give the same bytes; only the standard library is used. One junction has the id 240109189.
"""

import argparse
import math
import random
import sys
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

EARTH_RADIUS = 6_371_009
WEST, SOUTH = -122.2727, 37.8044
BLOCK = 120.0
FIRST_ID = 240109189
NAMES = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Ivy", "Juniper", "Larch"]
# The keys that OSMnx declares, in its order: scope and name.
KEYS = [
    ("graph", "created_with"),
    ("graph", "crs"),
    ("graph", "simplified"),
    ("node", "street_count"),
    ("node", "y"),
    ("node", "x"),
    ("node", "highway"),
    ("edge", "osmid"),
    ("edge", "highway"),
    ("edge", "maxspeed"),
    ("edge", "name"),
    ("edge", "oneway"),
    ("edge", "reversed"),
    ("edge", "length"),
    ("edge", "speed_kph"),
    ("edge", "travel_time"),
    ("edge", "bridge"),
    ("edge", "geometry"),
]
# Kind of street: kilometres per hour, and whether the map has the speed or leaves it to guess.
KINDS = {
    "primary": (50, True),
    "residential": (30, True),
    "service": (15, False),
    "living_street": (10, True),
}


class Street:
    """A piece of a street between two junctions, from the first to the second."""

    def __init__(self, ends, kind, name, oneway=False, bend=0.0, bridge=False):
        self.ends, self.kind, self.name = ends, kind, name
        self.oneway, self.bend, self.bridge = oneway, bend, bridge


def size_of_grid(junctions):
    """Columns and rows that give, with dead ends, about this many junctions."""
    rows = max(3, round(math.sqrt(0.92 * junctions / 1.25)))
    return max(3, round(0.92 * junctions / rows)), rows


def town(junctions, seed):
    """The places of junctions in metres, and the streets."""
    chance = random.Random(seed)
    columns, rows = size_of_grid(junctions)
    river = rows // 2
    places, streets = {}, []
    for row in range(rows):
        for column in range(columns):
            shift = [30.0 * (chance.random() - 0.5) for _ in range(2)]
            # The river takes space and bends the rows beside it.
            across = 80.0 if row >= river else 0.0
            wave = 40.0 * math.sin(2.0 * math.pi * column / columns)
            north = BLOCK * row + across + wave + shift[1]
            places[column, row] = (BLOCK * column + shift[0], north)
    bridges = {0, columns - 1} if columns < 8 else {3, columns // 2, columns - 4}
    for row in range(rows):
        arterial = row % 4 == 0 or row in (river - 1, river, rows - 1)
        oneway = not arterial and chance.random() < 0.8
        name = f"{NAMES[row % len(NAMES)]} Street"
        for column in range(columns - 1):
            ends = [(column, row), (column + 1, row)]
            add(streets, chance, ends[:: -1 if row % 2 else 1], arterial, oneway, name)
    for column in range(columns):
        arterial = column % 4 == 0 or column in bridges or column == columns - 1
        oneway = not arterial and chance.random() < 0.8
        name = f"{column + 1}th Avenue"
        for row in range(rows - 1):
            ends = [(column, row), (column, row + 1)]
            if row + 1 == river:
                if column in bridges:
                    streets.append(Street(ends, "primary", f"{name} Bridge", bridge=True))
                continue
            add(streets, chance, ends[:: -1 if column % 2 else 1], arterial, oneway, name)
    blind_ends(places, streets, chance, junctions - len(places))
    doubled(streets, chance)
    return places, reachable(places, streets)


def add(streets, chance, ends, arterial, oneway, name):
    """Adds a piece of a street, some of them bent."""
    kind = "primary" if arterial else "service" if chance.random() < 0.15 else "residential"
    bend = 60.0 * (chance.random() - 0.5) if chance.random() < 0.2 else 0.0
    streets.append(Street(ends, kind, name, oneway, bend))


def blind_ends(places, streets, chance, count):
    """Adds dead ends."""
    corners = sorted(places)
    for number in range(max(count, 0)):
        corner = corners[int(chance.random() * len(corners))]
        x, y = places[corner]
        angle = 2.0 * math.pi * chance.random()
        places["blind", number] = (x + 45.0 * math.cos(angle), y + 45.0 * math.sin(angle))
        name = f"{NAMES[number % len(NAMES)]} Court"
        streets.append(Street([corner, ("blind", number)], "living_street", name))


def doubled(streets, chance):
    """A second way between the same junctions, slower and longer; OSMnx keeps both."""
    for street in list(streets):
        if not street.bridge and street.kind == "residential" and chance.random() < 0.03:
            streets.append(Street(street.ends, "service", None, street.oneway, bend=70.0))


def reachable(places, streets):
    """Opens one-way streets both ways until every junction can be reached from every other."""
    while True:
        out = {place: [] for place in places}
        back = {place: [] for place in places}
        for street in streets:
            pairs = [street.ends] if street.oneway else [street.ends, street.ends[::-1]]
            for start, end in pairs:
                out[start].append(end)
                back[end].append(start)
        start = next(iter(places))
        reached, reaching = search(out, start), search(back, start)
        closed = [
            street
            for street in streets
            if street.oneway
            and any(len(part.intersection(street.ends)) == 1 for part in (reached, reaching))
        ]
        if not closed:
            return streets
        closed[0].oneway = False


def search(out, start):
    """The junctions that can be reached."""
    reached, waiting = {start}, [start]
    while waiting:
        for end in out[waiting.pop()]:
            if end not in reached:
                reached.add(end)
                waiting.append(end)
    return reached


def degrees(place):
    """Metres east and north of the corner of the town, as longitude and latitude."""
    x, y = place
    lat = SOUTH + math.degrees(y / EARTH_RADIUS)
    lon = WEST + math.degrees(x / (EARTH_RADIUS * math.cos(math.radians(SOUTH))))
    return round(lon, 7), round(lat, 7)


def great_circle(a, b):
    """Metres between two places, by the haversine formula."""
    (lon_a, lat_a), (lon_b, lat_b) = ([math.radians(x) for x in place] for place in (a, b))
    square = (
        math.sin(0.5 * (lat_b - lat_a)) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin(0.5 * (lon_b - lon_a)) ** 2
    )
    return 2.0 * EARTH_RADIUS * math.asin(math.sqrt(square))


def line(street, places):
    """The places that a street passes, as longitudes and latitudes."""
    (x, y), (u, v) = (places[end] for end in street.ends)
    ends = [degrees((x, y)), degrees((u, v))]
    if street.bend == 0.0:
        return ends
    share = street.bend / math.hypot(u - x, v - y)
    middle = (0.5 * (x + u) - share * (v - y), 0.5 * (y + v) + share * (u - x))
    return [ends[0], degrees(middle), ends[1]]


def edges_of(number, street, places, ids):
    """The one or two edges of a street, as pairs of ends and data."""
    shape = line(street, places)
    length = round(sum(great_circle(*pair) for pair in pairwise(shape)), 3)
    speed, is_said = KINDS[street.kind]
    source, target = (ids[end] for end in street.ends)
    for is_back in [False] if street.oneway else [False, True]:
        data = {
            "osmid": str(24_000_000 + number),
            "highway": street.kind,
            "maxspeed": f"{speed}" if is_said else None,
            "name": street.name,
            "oneway": str(street.oneway),
            "reversed": str(is_back),
            "length": repr(length),
            "speed_kph": repr(float(speed)),
            "travel_time": repr(round(3.6 * length / speed, 1)),
            "bridge": "yes" if street.bridge else None,
            "geometry": None,
        }
        if len(shape) > 2:
            passed = [f"{x!r} {y!r}" for x, y in (shape[::-1] if is_back else shape)]
            data["geometry"] = f"LINESTRING ({', '.join(passed)})"
        yield (target, source) if is_back else (source, target), data


def graphml(places, streets, seed):
    """The text of the file."""
    chance = random.Random(seed + 1)
    ids, last = {}, FIRST_ID
    for place in places:
        ids[place] = last
        last += 1 + int(3000 * chance.random())
    count = {place: 0 for place in places}
    for street in streets:
        for end in street.ends:
            count[end] += 1
    number_of_key = {key: f"d{number}" for number, key in enumerate(KEYS)}
    parts = [
        "<?xml version='1.0' encoding='utf-8'?>",
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns'
        ' http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
    ]
    for scope, name in reversed(KEYS):
        key = number_of_key[scope, name]
        parts.append(f'  <key id="{key}" for="{scope}" attr.name="{name}" attr.type="string" />')
    parts.append('  <graph edgedefault="directed">')

    def data(scope, values, indent):
        for name, value in values.items():
            if value is not None:
                key = number_of_key[scope, name]
                parts.append(f'{indent}<data key="{key}">{escape(value)}</data>')

    data(
        "graph",
        {"created_with": "scripts/town.py", "crs": "epsg:4326", "simplified": "True"},
        "    ",
    )
    for place, id_ in ids.items():
        lon, lat = degrees(places[place])
        parts.append(f'    <node id="{id_}">')
        signals = "traffic_signals" if count[place] > 3 and chance.random() < 0.1 else None
        values = {
            "street_count": str(count[place]),
            "y": repr(lat),
            "x": repr(lon),
            "highway": signals,
        }
        data("node", values, "      ")
        parts.append("    </node>")
    parallel = {}
    for number, street in enumerate(streets):
        for ends, values in edges_of(number, street, places, ids):
            key = parallel.get(ends, 0)
            parallel[ends] = key + 1
            source, target = (quoteattr(str(end)) for end in ends)
            parts.append(f'    <edge source={source} target={target} id="{key}">')
            data("edge", values, "      ")
            parts.append("    </edge>")
    return "\n".join(parts) + "\n  </graph>\n</graphml>\n"


def main():
    """Writes the requested town."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--junctions", type=int, default=1000, help="about how many (default: 1000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="another town (default: 1)")
    parser.add_argument(
        "out", nargs="?", type=Path, help="the file to write (default: standard output)"
    )
    args = parser.parse_args()
    if args.junctions < 20:
        parser.error(f"--junctions {args.junctions}: a town has at least 20")
    text = graphml(*town(args.junctions, args.seed), args.seed)
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
