"""Mutations of files that know their structure: lines and cells, JSON, XML, archives, arrays.

Those of trees are in `brackets`.
"""

import gzip
import io
import json
import lzma
import re
import tarfile
import warnings
import zipfile
from contextlib import suppress
from copy import deepcopy
from xml.etree import ElementTree

import numpy as np

from fuzz.brackets import PARAMETERS, TREES
from fuzz.values import DEPTHS, JSON, NUMBERS, WORDS

ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "latin-1", "cp1252", "utf-32")
LINE_ENDS = ("\r\n", "\r", "\n\n", "\u2028", "\x85", "\v", " \n", "\n\t")
CELLS = re.compile(r"(\t| +|\||,|=|:|\"|<|>|/|\[|\]|\n)")
EPOCH = (1980, 1, 1, 0, 0, 0)
FINE = 0.7
"""How often a file is only mutated in ways that keep its structure."""
MOST = 1 << 16
"""The bytes of a mutated file, unless a value in it is larger."""


def mutated(data, shape, rng, other=b""):
    """The data after some mutations, most of which leave it a file of its kind."""
    fine, rough = SHAPES[shape]
    changes = fine if rng.random() < FINE else (*fine, *rough)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, 5))):
        data = rng.choice(changes)(data, rng, other)
    return data


def _span(size, rng, most=40):
    start = rng.randrange(size + 1)
    return start, min(size, start + rng.randint(1, most))


def flipped(data, rng, _other):
    """Some bytes replaced."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8)) if data else 0):
        new = rng.choice((0, 10, 32, 127, 128, 255, rng.randrange(256)))
        changed[rng.randrange(len(data))] = new
    return bytes(changed)


def inserted(data, rng, _other):
    """Some bytes inserted."""
    at = rng.randrange(len(data) + 1)
    some = rng.randbytes(rng.randint(1, 6))
    return (
        data[:at] + rng.choice((some, b"\0", b"\n", b"\xff", b"\xed\xa0\x80", b"\xc3")) + data[at:]
    )


def deleted(data, rng, _other):
    """A span taken out, or all from there on."""
    start, stop = _span(len(data), rng)
    return data[:start] + data[stop:] * rng.randrange(2)


def repeated(data, rng, _other):
    """A span repeated many times."""
    start, stop = _span(len(data), rng)
    times = min(rng.choice((2, 3, 30, 300)), MOST // (stop - start + 1))
    return data[:start] + data[start:stop] * times + data[stop:]


def spliced(data, rng, other):
    """The beginning of one file and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _as_text(change):
    def apply(data, rng, other):
        text = change(data.decode("utf-8", "replace"), rng, other.decode("utf-8", "replace"))
        return text.encode("utf-8", "surrogatepass")

    return apply


@_as_text
def lines_changed(text, rng, other):
    """Lines deleted, doubled, swapped, moved, merged, or taken from another file."""
    lines = text.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(7)
    if way == 0:
        del lines[at : at + rng.randint(1, 3)]
    elif way == 1:
        lines[at:at] = [lines[at]] * min(rng.choice((1, 2, 20)), MOST // (len(lines[at]) + 1))
    elif way == 2:
        lines[at], lines[to] = lines[to], lines[at]
    elif way == 3:
        lines.insert(to, lines.pop(at))
    elif way == 4:
        lines[at] = lines[at] + " ".join(lines[at + 1 : at + 2])
    elif way == 5:
        lines[at:at] = rng.sample(other.split("\n"), min(2, other.count("\n") + 1))
    else:
        lines = lines[:1] if rng.random() < 0.3 else lines[at:]
    return "\n".join(lines)


@_as_text
def cell_changed(text, rng, _other):
    """A cell replaced, deleted, doubled or swapped with another."""
    cells = CELLS.split(text)
    at, to = (2 * rng.randrange((len(cells) + 1) // 2) for _ in range(2))
    way = rng.randrange(6)
    if way == 0:
        cells[at], cells[to] = cells[to], cells[at]
    elif way == 1:
        cells[at] = cells[to]
    elif way == 2 and at + 1 < len(cells):
        cells[at + 1] = rng.choice(("", " ", "\t", "\n", cells[at + 1] * 2))
    elif way == 3:
        cells[at] = rng.choice(WORDS)
    else:
        cells[at] = rng.choice(NUMBERS)
    return "".join(cells)


@_as_text
def number_changed(text, rng, _other):
    """A number replaced."""
    found = list(re.finditer(r"-?\d+(\.\d+)?", text))
    if not found:
        return text
    at = rng.choice(found)
    new = rng.choice((*NUMBERS, str(rng.randint(-3, 20)), at[0] + "0", "-" + at[0], at[0][:-1]))
    return text[: at.start()] + new + text[at.end() :]


@_as_text
def word_put_in(text, rng, _other):
    """A troublesome word inserted or appended to another."""
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(WORDS) + text[at:]


@_as_text
def ends_changed(text, rng, _other):
    """Other line ends."""
    return text.replace("\n", rng.choice(LINE_ENDS))


def encoded(data, rng, _other):
    """Another encoding."""
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(ENCODINGS), "replace")


def _places(value, parent=None, key=None):
    """Every value of a JSON document, with where it is."""
    yield parent, key, value
    items = value.items() if isinstance(value, dict) else ()
    for each, inner in enumerate(value) if isinstance(value, list) else items:
        yield from _places(inner, value, each)


def _changed_json(value, rng):
    parent, key, old = rng.choice(list(_places(value)))
    new = rng.choice(JSON)
    if parent is None:
        return new if rng.random() < 0.2 else value
    way = rng.randrange(6)
    if way == 0:
        del parent[key]
    elif way == 1:
        parent[key] = [old]
    elif way == 2 and isinstance(parent, dict):
        parent[rng.choice((*parent, "x", "", "text", "words", "start"))] = parent.pop(key)
    elif way == 3 and isinstance(parent, list):
        parent[key:key] = [old] * rng.choice((1, 2, 20))
    elif way == 4 and isinstance(old, int | float) and not isinstance(old, bool):
        parent[key] = rng.choice((-old, old + 1, old * 10, str(old), old - 1))
    else:
        parent[key] = new
    return value


def _json_or_less(text, rng):
    """A value of JSON changed; what is no JSON is cut off."""
    try:
        value = _changed_json(json.loads(text), rng)
        text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    except (ValueError, RecursionError):
        return text[: rng.randrange(len(text) + 1)]
    if rng.random() < 0.02:
        depth = rng.choice(DEPTHS)
        text = text.replace("null", "[" * depth + "]" * depth, 1).replace("1", "1" * 5000, 1)
    return text


@_as_text
def json_changed(text, rng, _other):
    """A value of a line of JSON changed."""
    lines = text.split("\n")
    at = rng.choice([at for at, line in enumerate(lines) if line.strip()] or [0])
    lines[at] = _json_or_less(lines[at], rng)
    return "\n".join(lines)


@_as_text
def json_whole(text, rng, _other):
    """A value of a JSON document changed."""
    return _json_or_less(text, rng)


@_as_text
def count_changed(text, rng, _other):
    """A number in JSON replaced by another."""
    found = list(re.finditer(r"(?<=[ \[])\d+(?=[,}\]])", text))
    if not found:
        return text
    at = rng.choice(found)
    large = 10**6, 2**31, 2**62, 2**63, 10**30, 10**400
    new = rng.choice((0, 1, 2, 7, -1, rng.randrange(99), *large))
    return f"{text[: at.start()]}{new}{text[at.end() :]}"


@_as_text
def name_changed(text, rng, _other):
    """A string in JSON replaced by another, wherever it stands."""
    names = sorted(set(re.findall(r': ("[^"\\]*")[,}]', text)))
    if not names:
        return text
    new = rng.choice((*names, json.dumps(rng.choice(WORDS), ensure_ascii=rng.random() < 0.5)))
    return text.replace(rng.choice(names), new)


def whole_lines(data, rng, other):
    """Lines changed, but not the first."""
    head, _, rest = data.partition(b"\n")
    return head + b"\n" + lines_changed(rest, rng, other.partition(b"\n")[2])


def xml_changed(data, rng, _other):
    """An element or an attribute deleted, doubled, moved or changed."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        return data
    every = list(root.iter())
    element, other = rng.choice(every), rng.choice(every)
    way = rng.randrange(5)
    names = list(element.attrib)
    if way == 0 and len(element):
        element.remove(rng.choice(list(element)))
    elif way == 1 and len(element):
        other.append(deepcopy(rng.choice(list(element))))
    elif way == 2 and names:
        del element.attrib[rng.choice(names)]
    elif way == 3 and names:
        ours, theirs = rng.choice(names), list(other.attrib.values())
        element.set(ours, rng.choice((*theirs, rng.choice(NUMBERS), _legal(rng.choice(WORDS)))))
    else:
        element.text = _legal(rng.choice((*WORDS, *NUMBERS)))
    return ElementTree.tostring(root, encoding="utf-8")


def _legal(text):
    return re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", text)


@_as_text
def entities(text, rng, _other):
    """Declarations of entities before an XML document."""
    inner = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 9}">' for at in range(1, 9))
    lots = f'<!ENTITY e0 "aaaaaaaaa">{inner}'
    outside = '<!ENTITY e8 SYSTEM "file:///etc/passwd">', '<!ENTITY % p SYSTEM "http://x/">%p;'
    body = re.sub(r"^<\?xml[^>]*\?>", "", text).replace(">a<", ">&e8;<", 1)
    head = f"<!DOCTYPE ANNOTATION_DOCUMENT [{rng.choice((lots, *outside))}]>"
    return head + body.replace("rained", "&e8;", 1)


def zip_changed(data, rng, other):
    """Members of a zip archive renamed, doubled, changed, or compressed in another way."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(each.filename, archive.read(each)) for each in archive.infolist()]
    except Exception:  # damaged by an earlier mutation
        return flipped(data, rng, other)
    if not members:
        return data
    at = rng.randrange(len(members))
    name, inside = members[at]
    way = rng.randrange(5)
    if way == 0:
        places = "a/b.txt", "/a.txt", "..", "a//b", ".x", "d/", "C:\\a"
        members[at] = rng.choice((*WORDS, *places)) or "x", inside
    elif way == 1:
        members.append(members[at])
    elif way == 2:
        del members[at]
    else:
        members[at] = name, mutated(inside, "lines", rng)
    return zipped(members, rng.choice((0, 8, 12, 14)))


def zipped(members, method=zipfile.ZIP_DEFLATED):
    """A zip archive that is the same each time."""
    out = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(out, "w") as archive:
        for name, inside in members:
            archive.writestr(zipfile.ZipInfo(name[:200], EPOCH), inside, compress_type=method)
    return out.getvalue()


def tar_changed(data, rng, other):
    """A field of a header of a tar archive changed, with the right checksum."""
    start = 512 * rng.randrange(max(1, len(data) // 512))
    header = bytearray(data[start : start + 512])
    if len(header) < 512:
        return flipped(data, rng, other)
    start_of, end_of = rng.choice(((0, 100), (100, 108), *((124, 136), (156, 157)) * 2, (345, 500)))
    size = end_of - start_of
    full = b"\xff" * size, b"\x80" + b"\xff" * 11, b"7" * size, b"\0" * size, rng.randbytes(size)
    new = rng.choice((*full, b"../../x", *(bytes([kind]) for kind in b"52SxgL")))[:size]
    header[start_of : start_of + len(new)] = new
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return data[:start] + bytes(header) + data[start + 512 :]


def tarred(members):
    """A tar archive that is the same each time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, inside in members:
            info = tarfile.TarInfo(name)
            info.size = len(inside)
            archive.addfile(info, io.BytesIO(inside))
    return out.getvalue()


def model_changed(data, rng, other):
    """An array of a model with another type, shape or values; or what the model says of itself."""
    try:
        with np.load(io.BytesIO(data)) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except Exception:  # damaged by an earlier mutation
        return flipped(data, rng, other)
    name = rng.choice((*arrays, "about", "words"))
    if name not in arrays:
        return data
    if name in ("about", "words") and rng.random() < 0.8:
        change = json_whole if name == "about" else lines_changed
        arrays[name] = np.frombuffer(change(arrays[name].tobytes(), rng, b""), np.uint8)
    else:
        _change_array(arrays, name, rng)
    out = io.BytesIO()
    with warnings.catch_warnings(action="ignore"):
        np.savez(out, **{key.replace("/", "_") or "x": value for key, value in arrays.items()})
    return out.getvalue()


def _change_array(arrays, name, rng):
    old = arrays[name]
    ways = (
        lambda: old[::-1] if old.ndim else old,
        lambda: np.roll(old, 1),
        lambda: np.zeros_like(old),
        lambda: (old * rng.choice((0.5, -1.0, 3.0, 1e6))).astype(old.dtype),
        lambda: old[..., :-1] if old.ndim else old,
        lambda: old[:0] if old.ndim else old,
        old.ravel,
        lambda: old.T,
        lambda: old[None],
        lambda: np.float32(rng.choice((0, np.nan, np.inf))),
        lambda: np.full(old.shape, rng.choice((np.nan, np.inf, -1e38)), np.float32),
        lambda: old.astype(rng.choice(("i8", "f8", "c16", "?", "U5", "f2", "u1"))),
        lambda: old.astype(object),
        lambda: np.repeat(old, 3, axis=0) if old.ndim else old,
        lambda: np.zeros((0, 3), np.int8),
    )
    if rng.random() < 0.15:
        del arrays[name]
        return
    with suppress(TypeError, ValueError):  # an earlier mutation made words of the numbers
        arrays[name] = rng.choice(ways)()


def table_changed(data, rng, other):
    """A row of a Parquet table changed as a line of JSON is, or all values of a column."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        rows = parquet.read_table(io.BytesIO(data)).to_pylist()
        name = rng.choice([*rows[0]])
        new = rng.choice((*JSON, [0, None], ["a"], b"\xff", {"a": 1}))
        if rng.random() < 0.3:
            rows = [row | {name: new} for row in rows]
        else:
            at = rng.randrange(len(rows))
            rows[at] = _changed_json(rows[at], rng)
        out = io.BytesIO()
        parquet.write_table(pa.Table.from_pylist(rows), out)
        return out.getvalue()
    except Exception:  # damaged by an earlier mutation, or nothing that a table can hold
        return flipped(data, rng, other)


def compressed(data, way):
    """Compressed data that is the same each time."""
    if way == ".xz":
        return lzma.compress(data, preset=0)
    return gzip.compress(data, 1, mtime=0)


BYTES = (flipped, inserted, deleted, repeated, spliced)
TEXT = (lines_changed, cell_changed, number_changed, word_put_in)
BRACKETS, SETTINGS = (tuple(map(_as_text, changes)) for changes in (TREES, PARAMETERS))
ROUGH = (*TEXT, ends_changed, encoded, *BYTES)
SHAPES = {
    "bytes": (BYTES, BYTES),
    "lines": (TEXT, ROUGH),
    "brackets": (BRACKETS, (*BRACKETS, *ROUGH)),
    "parameters": ((*SETTINGS, cell_changed, number_changed), ROUGH),
    "json lines": ((json_changed,), ROUGH),
    "rows": ((count_changed, name_changed, whole_lines), (json_changed, *ROUGH)),
    "json": ((json_whole,), ROUGH),
    "xml": ((xml_changed,), (entities, *ROUGH)),
    "zip": ((zip_changed,), BYTES),
    "tar": ((tar_changed,), BYTES),
    "model": ((model_changed,), BYTES),
    "table": ((table_changed,), BYTES),
}
"""For each way in which a file is built the mutations that keep it so, and rougher ones."""
