"""caesura score subtitles: the profile, and files that do not fit."""

import pytest

import caesura
from support.results import result

REF = "Imagine waking up <eol> to a stranger, <eob> often. <eob>\nWelcome to it. <eob>\n"
OURS = "Imagine waking up to <eol> a stranger, often. <eob>\nWelcome to this. <eob>\n"
SRT = "1\n00:00:00,000 --> 00:00:02,000\nImagine waking up to\na stranger, often.\n\n2\n00:00:02,000 --> 00:00:02,300\nWelcome to this.\n"  # noqa: E501
KEYS = [
    "sigma", "bleu_br", "bleu_nb", "alpha", "precision", "recall", "f1", "eol_f1", "eob_f1", "pk",
    "windowdiff", "segmentation_similarity", "boundary_similarity", "cpl_conformity",
    "cps_conformity", "lpb_conformity",
]  # fmt: skip
BY_SACREBLEU = KEYS[:4]


@pytest.fixture
def files(folder):
    return folder(**{"ours.txt": OURS, "ref.txt": REF, "ours.srt": SRT})


def scores(run, *arguments):
    return result(run, "score", "subtitles", *arguments)["systems"][0]["micro"]


def test_the_scores_of_the_profile(files, run):
    pytest.importorskip("sacrebleu")
    found = scores(run, "ours.txt", "--gold", "ref.txt")
    assert [key for key in KEYS if key in found] == KEYS
    assert found["alpha"] == 3 / 10
    assert (found["precision"], found["recall"]) == (2 / 3, 2 / 4)
    assert (found["eol_f1"], found["eob_f1"]) == (0, pytest.approx(4 / 5))
    assert (found["cpl_conformity"], found["cps_conformity"]) == (100, None)


def test_times_give_the_speed(files, run):
    found = scores(run, "ours.srt", "--gold", "ref.txt")
    assert (found["cps_conformity"], found["lpb_conformity"]) == (50, 100)
    limits = "--max-cps", 60, "--max-cpl", 18, "--max-lines", 1
    found = scores(run, "ours.srt", "--gold", "ref.txt", *limits)
    assert (found["cps_conformity"], found["lpb_conformity"]) == (100, 50)
    assert found["cpl_conformity"] == pytest.approx(200 / 3)


def test_without_sacrebleu(files, run, monkeypatch):
    monkeypatch.setattr("caesura.tasks.transcript.counting.find_spec", lambda _: None)
    monkeypatch.setattr("caesura.measures.translation.is_installed", lambda: False)
    found = result(run, "score", "subtitles", "ours.txt", "--gold", "ref.txt")
    assert found["warnings"] == [
        "Sigma and BLEU with breaks need sacrebleu, and are left out; install it with pip "
        "install 'caesura-eval[translation]'"
    ]
    (system,) = found["systems"]
    assert [key for key in KEYS if system["micro"].get(key) is not None] == [
        key for key in KEYS if key not in (*BY_SACREBLEU, "cps_conformity")
    ]


# The files, and what is said; a warning where something is scored.
BAD = {
    "fewer lines": (
        {"ours.txt": "Imagine <eob>\n"},
        "error: ours.txt: 1 line, but ref.txt has 2 lines; give the same sentences on the same "
        "lines, with an empty line where there is none, or subtitles with times (SRT, WebVTT)\n",
    ),
    "an empty file": (
        {"ours.txt": ""}, "error: ours.txt: no words; give a file with the words of subtitles\n",
    ),
    "no breaks": (
        {"ours.txt": "Imagine waking up to a stranger, often.\nWelcome to it.\n"},
        "warning: ours.txt: no boundary; breaks are written <eol> and <eob>\n",
    ),
    "no break at the end of a line": (
        {"ours.txt": OURS.replace("this. <eob>", "this.")},
        "warning: ours.txt: 1 line without <eob> or <eol> at the end, where no break is counted\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_files_that_do_not_fit(name, files, run):
    pytest.importorskip("sacrebleu")
    given, said = BAD[name]
    for path, text in given.items():
        (files / path).write_text(text)
    status, _, error = run("score", "subtitles", "ours.txt", "--gold", "ref.txt")
    assert error.startswith(said)
    assert (status, error.count("\n")) == (int(said.startswith("error")), 1)


def test_plain_text_has_no_breaks_to_score(files, run):
    pytest.importorskip("sacrebleu")
    (files / "ours.txt").write_text("the cat sat on the mat and slept\n")
    (files / "ref.txt").write_text("nobody knows what happened last night\n")
    found = result(run, "score", "subtitles", "ours.txt", "--gold", "ref.txt")
    micro = found["systems"][0]["micro"]
    assert [micro[key] for key in ("precision", "recall", "f1")] == [None] * 3
    assert found["warnings"][0] == (
        "no boundary inside any document: precision, recall and F1 are undefined, and "
        "Sigma says nothing of breaks; breaks are written <eol> and <eob>"
    )


@pytest.mark.parametrize(
    ("ours", "ref", "counts"),
    [
        ("a b c d", "a <eol> b c <eob> d <eob>", (0, 0, 3)),
        ("a <eol> b c <eob> d <eob>", "a b c d", (0, 3, 0)),
        ("a <eol> b c d", "a <eol> b c <eob> d <eob>", (1, 0, 2)),
        ("a <eol> b c d", "a <eol> b c <eob> d", (1, 0, 1)),
        ("a <eol> b c <eob> d <eob>", "a <eol> b c <eob> d <eob>", (3, 0, 0)),
    ],
)
@pytest.mark.parametrize("more", [("--unit", "document"), ("--confidence",)])
def test_the_end_counts_if_a_break_is_there(files, run, ours, ref, counts, more):
    pytest.importorskip("sacrebleu")
    (files / "ours.txt").write_text(ours + "\n")
    (files / "ref.txt").write_text(ref + "\n")
    profile = ("score", "subtitles", "ours.txt", "--gold", "ref.txt")
    task = ("transcript", "ours.txt", "--ref", "ref.txt", "--final", "keep", "--input", "breaks")
    for command in (profile, task):
        (system,) = result(run, *command, *more)["systems"]
        (found,) = system["by_reference"].values()
        assert tuple(found[key] for key in ("tp", "fp", "fn")) == counts


def test_normalised_words_keep_their_subtitles(files):
    pytest.importorskip("sacrebleu")
    names = {"ours": files / "ours.txt"}, {"ref": files / "ref.txt"}
    how = {"units": "breaks", "align": True, "also": ("sigma", "reading")}
    plain, normal = (
        caesura.evaluate(*names, **how, **more).systems["ours"].micro
        for more in ({}, {"normalize": "fillers"})
    )
    assert plain["sigma_mean"] == normal["sigma_mean"]


@pytest.mark.slow
def test_few_documents_are_resampled_in_blocks_that_add_up(shared):
    """Rows of blocks and of the whole document give the same scores."""
    pytest.importorskip("sacrebleu")
    folder = shared / "data" / "communities" / "evalsub"
    systems = {"cascade": folder / "cascade.fr", "nmt": folder / "nmt.fr"}
    whole, parts = (
        caesura.evaluate(systems, gold=folder / "amara.fr", profile="subtitles", **more)
        for more in ({}, {"compare": True, "resamples": 200})
    )
    assert "drawn:block/161" in parts.signature
    for name in systems:
        assert {key: parts.systems[name].micro[key] for key in KEYS} == pytest.approx(
            {key: whole.systems[name].micro[key] for key in KEYS}, nan_ok=True
        )
