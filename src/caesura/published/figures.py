"""Published figures, of a paper or another program, computed again: rows, columns, both numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import caesura
from caesura.io.writing import temporary_folder
from caesura.published.tables import Figure

if TYPE_CHECKING:
    from caesura.core.json_values import Json

RATES = {"P": "precision", "R": "recall", "F1": "f1"}
REFERENCES = ("ref1", "ref2", "ref3")
SYSTEMS = ("S1", "S2")
SWAPPED = {4, 6, 8, 10}
"""The transcripts whose first two columns are swapped in Table 4, relative to Table 2."""
TRANSCRIPTS = range(1, 11)
V6 = 5
"""Where v6 is in a list of all transcripts."""


def v6(data: Json) -> Iterator[Figure]:
    """All that is printed of v6: Table 2 to 6."""
    from caesura.api.evaluate import evaluate

    names = [f"@wisebe-v6/{name}" for name in SYSTEMS]
    scored = evaluate(names, ["@wisebe-v6"]).to_dict()
    agreement, table5 = scored["agreement"], data["table5"]
    yield "v6", "RGAR", table5["RGAR"][V6], agreement["rgar"]
    yield "v6", "κ", data["table6"]["fleiss_kappa"][V6], agreement["fleiss_kappa"]
    for system in scored["systems"]:
        name, micro = system["name"], system["micro"]
        row = f"v6/{name}"
        yield row, "boundaries", data["table3_system_boundaries"][name][V6], micro["candidates"]
        for column, key in {"F1mean": "f1_mean", "F1RW": "window_f1", "WiSeBE": "wisebe"}.items():
            yield row, column, table5[column][name][V6], micro[key]
        for reference in REFERENCES:
            printed = data["table4"][row][reference]
            for rate, value in zip(RATES, printed, strict=True):
                against = system["by_reference"][reference]
                yield row, f"{reference} {rate}", value, against[RATES[rate]]


def tool(data: Json) -> Iterator[Figure]:
    """What the authors' program prints for v6, for several limits of windows."""
    from caesura.api.evaluate import evaluate

    for run in data["tool"]["runs"]:
        name, limit = {"A": "S1", "B": "S2"}[run["candidate"]], run["window_limit"]
        result = evaluate([f"@wisebe-v6/{name}"], ["@wisebe-v6"], final="keep", window=limit)
        micro = result.to_dict()["systems"][0]["micro"]
        pairs = {
            "windows": "n_windows", "inside": "bs_ws", "hit": "ws_bs",
            "window_precision": "Precision", "window_recall": "Recall", "window_f1": "F1",
            "wisebe": "wisebe", "wisebe_smooth": "s_wisebe",
        }  # fmt: skip
        for key, theirs in pairs.items():
            yield f"{name}, limit {limit}", key, run[theirs], micro[key]


def _rates(data: Json, video: int, system: str, reference: str) -> list[Fraction]:
    """Precision, recall and F1 from integers: three digits of a precision determine its hits."""
    swapped = {"ref1": "ref2", "ref2": "ref1"} if video in SWAPPED else {}
    column = data["table2_reference_boundaries"][swapped.get(reference, reference)]
    placed, wanted = data["table3_system_boundaries"][system][video - 1], column[video - 1]
    tp = round(data["table4"][f"v{video}/{system}"][reference][0] * placed)
    return [Fraction(tp, placed), Fraction(tp, wanted), Fraction(2 * tp, placed + wanted)]


def table4(data: Json) -> Iterator[Figure]:
    """Table 4 with its means, from Tables 2 and 3 and the printed precisions."""
    for video in TRANSCRIPTS:
        for system in SYSTEMS:
            row = f"v{video}/{system}"
            rates = {name: _rates(data, video, system, name) for name in REFERENCES}
            rates["mean"] = [sum(each) / 3 for each in zip(*rates.values(), strict=True)]
            for name, values in rates.items():
                for rate, printed, value in zip(
                    RATES, data["table4"][row][name], values, strict=True
                ):
                    yield row, f"{name} {rate}", printed, value


def means(data: Json) -> Iterator[Figure]:
    """The row of means below Table 4: F1 of each system against each reference."""
    for system in SYSTEMS:
        for name in REFERENCES:
            values = [_rates(data, video, system, name)[2] for video in TRANSCRIPTS]
            yield system, name, data["table4_means"][system][name], sum(values, Fraction()) / 10


def table5(data: Json) -> Iterator[Figure]:
    """Table 5: WiSeBE as the product of the printed factors, and the row of means."""
    table = data["table5"]
    for system in SYSTEMS:
        columns = {name: table[name][system] for name in ("F1mean", "F1RW", "WiSeBE")}
        columns["RGAR"] = table["RGAR"]
        exact = {name: [Fraction(repr(each)) for each in columns[name]] for name in columns}
        for index, video in enumerate(TRANSCRIPTS):
            row = f"v{video}/{system}"
            rates = [_rates(data, video, system, name)[2] for name in REFERENCES]
            yield row, "F1mean", columns["F1mean"][index], sum(rates, Fraction()) / 3
            wisebe = exact["F1RW"][index] * exact["RGAR"][index]
            yield row, "WiSeBE", columns["WiSeBE"][index], wisebe
        for name, values in exact.items():
            yield f"mean/{system}", name, table["mean"][system][name], sum(values, Fraction()) / 10


def table6(data: Json) -> Iterator[Figure]:
    """Table 6: the RGAR of Table 5, and its correlation with Fleiss' κ."""
    from caesura.core.counts import pearson

    table = data["table6"]
    for video, (printed, value) in enumerate(
        zip(table["RGAR"], data["table5"]["RGAR"], strict=True), 1
    ):
        yield f"v{video}", "RGAR", printed, Fraction(repr(value))
    yield "all", "Pearson", f"{table['pearson']:.2f}", pearson(table["RGAR"], table["fleiss_kappa"])


def utterances(data: Json) -> Iterator[Figure]:
    """The test suite of wordseg."""
    for case in data["cases"]:
        text, gold, units = ("\n".join(case[name]) for name in ("text", "gold", "units"))
        result = caesura.wordseg(text, gold, units=units)
        for key, printed in case["expected"].items():
            value = getattr(result, key.replace("_fscore", "_f1"))
            yield case["test"], key, float(printed), value


def terms(data: Json) -> Iterator[Figure]:
    """What zerospeech-tde 2.0.3 prints for small class files."""
    for name, case in data["cases"].items():
        contents = [case.get("cls", case.get("input"))]
        contents += [case.get(kind, data["gold"][kind]) for kind in ("phn", "wrd")]
        with temporary_folder() as folder:
            paths = [Path(folder, file) for file in ("found.class", "gold.phn", "gold.wrd")]
            for path, content in zip(paths, contents, strict=True):
                path.write_text(content, encoding="utf-8")
            counts = caesura.terms(paths[0], phones=paths[1], words=paths[2]).counts
        output = case["output"]
        tokens, grouping = output["token_type"], output["grouping"]
        printed = {
            "boundary": (output["boundary"]["P"], output["boundary"]["R"]),
            "token": (tokens["tokP"], tokens["tokR"]),
            "type": (tokens["typP"], tokens["typR"]),
            "grouping": (grouping["P"], grouping["R"]),
        }
        for measure, (precision, recall) in printed.items():
            matches = getattr(counts, measure)
            yield name, f"{measure} P", float(precision), matches.precision
            yield name, f"{measure} R", float(recall), matches.recall
        yield name, "coverage", float(output["coverage"]["cov"]), counts.coverage
        yield name, "NED", float(output["ned"]["ned"]), counts.ned


def joint(data: Json) -> Iterator[Figure]:
    """The examples of the jp paper: sentences and tokens, as TP, FP and FN."""
    for example in data["examples"]:
        counts = caesura.joint(example["system"], example["gold"])
        for unit in ("sentences", "tokens"):
            matches = getattr(counts, unit)
            values = matches.tp, matches.fp, matches.fn
            for key, printed, value in zip(("TP", "FP", "FN"), example[unit], values, strict=True):
                yield example["where"], f"{unit} {key}", printed, value
