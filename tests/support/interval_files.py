"""Files of intervals and speakers, written for tests, and the segments they hold."""

from hypothesis import strategies as st

from caesura.formats.nist import parse_rttm
from caesura.formats.script import to_document

EIGHTH = 125_000
"""Times are eighths of a second, which floats hold exactly."""


def grid(**tiers):
    """A TextGrid in the short form; a tier is a list of (on, off, label), or (time, label)."""
    last = max(entry[-2] for entries in tiers.values() for entry in entries)
    lines = ['"ooTextFile"', '"TextGrid"', "0", str(last), "<exists>", str(len(tiers))]
    for name, entries in tiers.items():
        kind = "TextTier" if len(entries[0]) == 2 else "IntervalTier"
        lines += [f'"{kind}"', f'"{name}"', "0", str(last), str(len(entries))]
        for *times, label in entries:
            lines += [*map(str, times), f'"{label}"']
    return "\n".join(lines) + "\n"


def eaf(**tiers):
    """An ELAN file; a tier is a list of (on, off, label) in milliseconds."""
    times = sorted({time for entries in tiers.values() for entry in entries for time in entry[:2]})
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="t{t}" TIME_VALUE="{t}"/>' for t in times)
    body = ""
    for name, entries in tiers.items():
        body += f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="x">'
        for at, (on, off, label) in enumerate(entries):
            body += (
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{name}{at}" '
                f'TIME_SLOT_REF1="t{on}" TIME_SLOT_REF2="t{off}"><ANNOTATION_VALUE>{label}'
                "</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
        body += "</TIER>"
    return f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{body}</ANNOTATION_DOCUMENT>"


def speakers(*turns, recording="talk"):
    """SPEAKER lines of RTTM from (on, off, name) in seconds."""
    return "".join(
        f"SPEAKER {recording} 1 {on} {round(off - on, 6)} <NA> <NA> {name} <NA> <NA>\n"
        for on, off, name in turns
    )


@st.composite
def turns(draw, least=1):
    """Segments in eighths of a second, which may overlap."""
    starts = draw(st.lists(st.integers(0, 60), min_size=least, max_size=7))
    return [(on, on + draw(st.integers(1, 16)), draw(st.sampled_from("ABC"))) for on in starts]


def spoken(turns):
    """The document of some segments."""
    text = speakers(*((on / 8, off / 8, name) for on, off, name in turns))
    return to_document(parse_rttm(text)[0])
