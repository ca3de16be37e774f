"""Profiles of other communities: what is declared exists, and every command line knows it."""

import json

import pytest

import caesura
from caesura.communities import PROFILES
from caesura.core.option import declared
from caesura.errors import UsageError
from caesura.scores.catalog import catalog
from caesura.sets.named_sets import PACKAGED
from caesura.tasks import TASKS
from support.public_names import ALSO_GIVEN, FILES, score
from support.public_names import PROFILES as SAMPLES
from support.report_pages import data_of
from support.results import result

EVERY = pytest.mark.parametrize("name", PROFILES)
OWN = {
    "transcript": "f1_mean",
    "text": "token_f1",
    "morphemes": "morph_boundary_f1",
    "chunks": "chunk_boundary_f1",
}
"""A score of caesura's own for each task that profiles have."""
SIGHAN = ("score", "sighan", "ours.txt", "--gold", "gold.txt")


@pytest.fixture
def files(folder):
    """An example for each profile, and lines of words for sighan."""
    return folder(**FILES, gold="ab c\nde\n", ours="a b c\nde\n", merged="a b c de\n")


@EVERY
def test_a_profile_is_declared_in_full_and_compared_by_its_own_scores(name):
    profile = PROFILES[name]
    scores = catalog(TASKS[profile.task]).systems
    assert {each.key for each in profile.scores.values()} <= set(scores)
    assert profile.main in profile.scores
    options = declared(TASKS[profile.task].options_class)
    assert {*profile.takes, *profile.options} <= set(options)
    assert profile.about == profile.about.strip(".")
    found = catalog(TASKS[profile.task], profile)
    assert list(found.systems)[: len(profile.scores)] == list(profile.scores)
    assert set(found.shown("compare")) <= set(profile.scores)
    assert set(found.shown("headline")) == {profile.main}
    assert not found.has_groups


@EVERY
def test_tables_of_caesura_are_shown_if_they_are_asked_for(run, files, name):
    sides = (*score(name).split(), "-q")
    asked = (*sides, "--also", "boundary")
    community, *others = run(*sides)[1].split("\n\n")
    _, heads, _, values = community.splitlines()[:4]
    assert community.startswith(f"{name}: ")
    assert len(heads.split()) > 3
    assert any(character.isdigit() for character in values)
    with_ours = run(*asked)[1].split("\n\n")
    assert with_ours[0] == community
    assert {*others} < {*with_ours}
    assert [each for each in with_ours if " TP " in each and each not in (community, *others)]
    one, other = (result(run, *each) for each in (sides, asked))
    assert {*other["options"].pop("also")} == {*one["options"].pop("also"), "boundary"}
    assert one == other
    assert run(*sides, "-f", "csv") == run(*asked, "-f", "csv")
    assert run(*sides, "--fail-under", f"{OWN[PROFILES[name].task]}=0")[0] in (0, 3)
    status, _, error = run(*sides, "--also", "boundaries")
    assert status == 2
    assert "unknown measure to add 'boundaries'; did you mean boundary" in error


@pytest.mark.parametrize("name", ["topics", "morphemes"])
def test_saved_rows_know_which_tables_were_asked_for(run, files, name):
    sides = (*score(name).split(), "-q", "--shard", "1/1")
    shown = []
    for also in ((), ("--also", "boundary")):
        outputs = ("--rows", "r.jsonl", "--html", "page.html", "-o", "out")
        run(*sides, *also, *outputs)
        assert run("merge", "r.jsonl", "-q")[1] == (files / "out").read_text()
        run("report", "r.jsonl", "-o", "saved.html", "-q")
        pages = [data_of(files / each) for each in ("page.html", "saved.html")]
        one, two = ([each["title"] for each in data["sections"]] for data in pages)
        assert one == two
        shown.append(len(one))
    assert shown[0] == 1 < shown[1]


def test_means_over_documents_are_those_of_the_community(run, folder):
    folder(**{"s__a.masses": "3 4 9 2", "r__a.masses": "3 4 9 2", "s__b.masses": "4 5 2",
              "r__b.masses": "5 4 2"})  # fmt: skip
    _, out, _ = run("score", "topics", "s", "--gold", "r", "-q")
    first, means, _ = out.split("\n\n")
    assert means.startswith("topics: mean over 2 documents (macro)\n")
    assert first.splitlines()[1].split() == means.splitlines()[1].split()
    found = caesura.evaluate("s", gold="r", profile="topics").systems["s"]
    assert f" .{found.macro['pk'] * 1000:03.0f} " in means.splitlines()[-1]


def test_change_points_need_one_annotator_and_a_length(run, folder):
    folder(**{"ours.times": "4\n9\n", "gold.times": "5\n30\n"})
    command = ("score", "changes", "ours.times", "--gold", "gold.times", "-q")
    _, out, _ = run(*command, "--n", "40")
    table = dict(zip(*(line.split() for line in out.splitlines()[1:4:2]), strict=True))
    found = caesura.evaluate("ours.times", gold="gold.times", profile="changes", n=40)
    ours = found.systems["ours"]
    assert (ours.precision, ours.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (table["P"], table["R"], table["F1"]) == (".667", ".667", ".667")
    assert table["cover"] == f"{ours.cover:.3f}".lstrip("0")
    cure = "say how long it is, with --n or --lengths"
    error = f"error: gold.times: no length, which covering needs; {cure}\n"
    assert run(*command) == (1, "", error)
    ours = ("transcript", "ours.times", "--ref", "gold.times", "--axis", "samples")
    assert run(*ours)[0] == 0


def test_the_set_of_change_points_has_lengths(run, folder):
    gold = json.loads((PACKAGED / "data" / "tcpd" / "annotations.json").read_text())
    copy = {name: series["annotations"]["8"] for name, series in gold.items()
            if "8" in series["annotations"]}  # fmt: skip
    folder(**{"ours.json": json.dumps(copy)})
    found = result(run, "score", "changes", "ours.json", "--gold", "@tcpd", "--missing", "vary")
    assert len(gold) == 32
    assert found["systems"][0]["macro"]["cover"] == pytest.approx(0.7934492, abs=1e-6)
    assert "ten of the 42 series are left out" in run("sets", "show", "tcpd")[1]


@pytest.mark.slow
def test_means_over_tracks_are_compared_and_gated(run, folder):
    """Of seven tracks, the second system misses one of four boundaries."""
    files = {}
    for at in range(1, 8):
        for side, second in (("r", 20), ("a", 20.2), ("b", 27)):
            files[f"{side}__d{at}.lab"] = f"0 {at} A\n{at} {second} B\n{second} 40 A\n"
    folder(**files)
    given = ("score", "music", "a", "b", "--gold", "r", "-q")
    _, out, _ = run(*given, "--confidence", "--compare", "--rows", "rows.jsonl")
    assert "macro   b" in out.partition("Boundaries")[0]
    assert "95% intervals of macro scores" in out
    assert "Differences, macro, with 95% intervals" in out
    assert "b is worse than a on F@0.5 by .250" in out
    found = result(run, *given, "--confidence", "--compare")
    assert found["systems"][1]["micro"]["rand_index"] is None
    assert 0.5 < found["systems"][1]["macro"]["rand_index"] < 1
    (pair,) = found["comparison"]["comparisons"]
    assert pair["macro"]["F-measure@0.5"]["difference"] == -0.25
    assert pair["macro"]["hit_f_measure@0.5s"]["p"] == 2 / 2**7
    assert found["systems"][1]["confidence"]["macro"]["hit_f_measure@0.5s"] == [0.75, 0.75]
    for name in ("hit_f_measure@0.5s", "F-measure@0.5", "F@0.5", "macro:F@0.5"):
        status, _, error = run(*given, "--fail-under", f"{name}=0.8")
        assert (status, error.partition("macro:")[0]) == (3, "error: b: ")
        assert " .750 is under 0.8" in error
        assert run(*given, "--fail-under", f"{name}=0.7")[0] == 0
    _, out, _ = run("compare", "rows.jsonl", "--measure", "F@0.5", "-q")
    assert out.startswith("Scores, macro\nsystem   F@0.5\n")
    status, _, error = run(*given, "--fail-under", "micro:F@0.5=0.7")
    assert (status, "is undefined" in error) == (3, True)
    one = ("score", "music", "a/d1.lab", "--gold", "r/d1.lab")
    assert run(*one, "--fail-under", "hit_f_measure@0.5s=0.9")[0] == 0
    b = caesura.evaluate(["a", "b"], gold="r", profile="music").systems["b"]
    assert b["F-measure@0.5"] == b["hit_f_measure@0.5s"] == b.macro["F-measure@0.5"] == 0.75


def test_macro_means_can_be_gated_anywhere(run, folder):
    folder(s__a="a b // c", r__a="a b // c", s__b="a b c // d", r__b="a // b c // d")
    given = ("transcript", "s", "--ref", "r", "-q")
    assert run(*given, "--fail-under", "f1=0.75")[0] == 0
    status, _, error = run(*given, "--fail-under", "macro:f1=0.9")
    assert (status, error) == (3, "error: s: macro:f1_mean .833 is under 0.9\n")


@EVERY
def test_it_is_listed(run, name):
    about = PROFILES[name].about
    _, listed, _ = run("list", "profiles")
    _, helped, _ = run("score", "--help")
    assert f" {name} " in listed
    for shown in (listed, helped):
        assert about in " ".join(shown.split())


def test_options_of_others_are_refused(run, files):
    status, _, error = run(*SIGHAN, "--tier", "words")
    assert (status, "sighan has no option tier" in error) == (2, True)
    with pytest.raises(UsageError, match="sighan has no option window; it has dictionary"):
        caesura.evaluate("ours.txt", gold="gold.txt", profile="sighan", window=3)
    status, _, error = run(*SIGHAN, "--gold", "b.txt")
    assert (status, "give --gold once" in error) == (2, True)


def test_scores_have_both_names(run, files):
    found = caesura.evaluate("ours.txt", gold="gold.txt", profile="sighan")
    ours = found.systems["ours"]
    assert (ours.f1, ours.recall) == (ours.token_f1, ours.token_recall) == (4 / 7, 2 / 3)
    assert found.to_dict()["task"] == "score"
    assert found.to_dict()["profile"] == "sighan"
    assert repr(found) == "<Evaluation of score sighan: ours: f1 .571; 1 reference, 1 document>"
    for name in ("F", "token_f1"):
        assert run(*SIGHAN, "--fail-under", f"{name}=0.5")[0] == 0
    status, _, error = run(*SIGHAN, "--fail-under", "f1=0.6")
    assert (status, "ours: f1 .571 is under 0.6" in error) == (3, True)


def test_rows_of_an_unknown_profile_are_an_error(run, files):
    run(*SIGHAN, "--rows", "r.jsonl")
    text = (files / "r.jsonl").read_text().replace('"profile": "sighan"', '"profile": "no"')
    (files / "r.jsonl").write_text(text)
    status, _, error = run("report", "r.jsonl", "-o", "r.html")
    assert (status, "rows of an unknown profile 'no'" in error) == (1, True)


@pytest.mark.parametrize("name", ["phones", "speakers"])
def test_errors_name_no_option_that_a_profile_lacks(run, files, name):
    status, _, error = run("score", name, "ours.txt", "--gold", "gold.txt")
    assert (status, "no time for the end of a unit" in error) == (1, True)
    assert "--axis" not in error


@EVERY
def test_what_its_own_table_has_is_not_repeated(files, name):
    """Of the scores that a profile names, none comes again in a table of all documents."""
    sides, more = {"r": SAMPLES[name]}, ALSO_GIVEN.get(name, {})
    page = caesura.evaluate({"s": SAMPLES[name]}, gold=sides, profile=name, **more).page()
    own, *others = page.tables
    task = catalog(TASKS[PROFILES[name].task])
    keys = {PROFILES[name].scores[column.key].key for column in own.columns if column.key}
    keys |= {task.short_names.get(key, key) for key in keys}
    assert own.id == "profile"
    assert not {column.key for table in others for column in table.columns} & keys
    assert len({table.title for table in page.tables}) == len(page.tables)


def test_sentences_are_shown_if_lines_are_cut_differently(files):
    for name, ids in (("ours", ["profile"]), ("merged", ["profile", "sentences"])):
        page = caesura.evaluate(f"{name}.txt", gold="gold.txt", profile="sighan").page()
        assert [table.id for table in page.tables] == ids


NIST = """\
SPKR-INFO {id} 1 <NA> <NA> <NA> adult_male a <NA>
SPEAKER {id} 1 1.0 9.0 <NA> <NA> a <NA>
SU {id} 1 {start} 2.0 <NA> statement a <NA>
LEXEME {id} 1 {start} 1.0 blah lex a <NA>
"""


def test_speakers_are_the_speaker_lines_of_files_with_words(folder, run, shared):
    folder(
        **{
            "g.rttm": NIST.format(id="talk", start="4.0"),
            "s.rttm": NIST.format(id="talk", start="7.0"),
            "o.rttm": NIST.format(id="other", start="4.0"),
            "w.rttm": NIST.format(id="talk", start="4.0").replace("SPEAKER", "SEGMENT"),
        }
    )
    data = shared / "data" / "mdeval"
    pairs = [("s.rttm", "g.rttm"), (data / "md_test7.sys.rttm", data / "md_test7.ref.rttm")]
    for system, gold in pairs if data.is_dir() else pairs[:1]:
        found = result(run, "score", "speakers", system, "--gold", gold)
        assert found["systems"][0]["micro"]["der"] == 0
    status, _, problem = run("score", "speakers", "o.rttm", "--gold", "g.rttm")
    assert status == 1
    assert "o.rttm: the recording 'other', where g.rttm has 'talk'" in problem
    status, _, problem = run("score", "speakers", "w.rttm", "--gold", "g.rttm")
    assert status == 1
    assert "w.rttm: no SPEAKER lines" in problem
