"""Results in a notebook: HTML and SVG that are sound whatever they hold."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import caesura
from caesura.output.svg import Bar, bars, plot_summary


def texts(svg):
    return [each.text for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_result_can_be_drawn(tmp_path):
    result = caesura.boundary("a // b c // d", "a // b // c d")
    plot = result.plot()
    assert plot._repr_svg_() == plot.svg == str(plot)
    assert {"boundary", "precision", ".500"} <= set(texts(plot.svg))
    plot.save(str(tmp_path / "p.svg"))
    assert (tmp_path / "p.svg").read_text(encoding="utf-8") == plot.svg


def test_a_result_is_html_in_a_notebook():
    shown = caesura.boundary("a // b", "a // b")._repr_html_()
    root = ET.fromstring(shown.replace("<wbr>", ""))
    assert root.tag == "div"
    assert "caesura:" in "".join(root.itertext())


def test_names_are_escaped_and_undefined_is_a_dash():
    plot = bars("a<b", [("x & y", [Bar("<i>\x00", float("nan")), Bar("n", -0.25, 1, (-0.5, 0.1))])])
    assert {"a<b", "x & y", "<i>\\x00", "–", "−.250"} <= set(texts(plot.svg))


def test_intervals_are_drawn_where_they_are():
    ours, theirs = {"s": ["a b", "c d"]}, {"r": ["a", "b c d"], "q": ["a b", "c d"]}
    summary = caesura.evaluate(ours, theirs).summary
    assert "<path" not in plot_summary(summary).svg
    system = replace(summary.systems[0], confidence={"micro": {"wisebe": (0.1, 0.4)}})
    assert plot_summary(replace(summary, systems=(system,))).svg.count("<path") == 1


@pytest.mark.parametrize("call", [caesura.wisebe, caesura.consensus])
def test_results_against_several(call):
    assert texts(call("a // b c", ["a // b c", "a b // c"]).plot().svg)


def test_scores_up_to_a_hundred_are_drawn_as_shares():
    half, other = Bar("WER", 0.5), Bar("BLEU", 50.0, interval=(40.0, 60.0), scale=100)
    drawn = bars("", [("", [half, other])])
    widths = re.findall(r'width="([.\d]+)" height="13"', drawn.svg)
    assert len(widths) == 2
    assert len(set(widths)) == 1
    assert {".500", "50.000"} <= set(texts(drawn.svg))


def test_metrics_that_were_not_computed_are_not_drawn():
    found = caesura.evaluate({"s": ["a b"]}, {"r": ["a c"]}, task="sentences", metrics="none")
    assert {"WER", "CER"} < set(texts(plot_summary(found.summary).svg))
    assert "BLEU" not in texts(plot_summary(found.summary).svg)
