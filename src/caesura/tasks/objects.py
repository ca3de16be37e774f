"""The task objects: what each is called, and where its parts are, imported when they are needed."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.registry import Registry
from caesura.core.task import Later, Task

TABLES = "caesura.output.tables"
REPORT = "caesura.output.report"
MEASURES = "caesura.measures"

TRANSCRIPT = Task(
    name="transcript",
    command="transcript",
    unit="unit",
    scored="boundaries",
    behind="the words and every boundary",
    against=("references",),
    alone=Later("caesura.tasks.objects:AGREEMENT"),
    plan=Later("caesura.api.plans:transcripts"),
    has_ceiling=True,
    options=Later("caesura.tasks.options.transcript:TranscriptOptions"),
    counter=Later("caesura.tasks.transcript:Transcript"),
    measures=Registry(
        {
            "wisebe": f"{MEASURES}.wisebe:Wisebe",
            "consensus": f"{MEASURES}.boundary:Consensus",
            "either": f"{MEASURES}.boundary:Either",
            "boundary": f"{MEASURES}.boundary:Boundary",
            "marks": f"{MEASURES}.marks:Marks",
            "windows": f"{MEASURES}.windows:Windows",
            "edit": f"{MEASURES}.edit:Edit",
            "tolerant": f"{MEASURES}.boundary:Tolerant",
            "su": f"{MEASURES}.su:Su",
            "deviation": f"{MEASURES}.deviation:Deviation",
            "unsupseg": f"{MEASURES}.hits:UnsupSeg",
            "strgar": f"{MEASURES}.hits:Strgar",
            "tokens": f"{MEASURES}.intervals:IntervalTokens",
            "kamper": f"{MEASURES}.intervals:Kamper",
            "changes": f"{MEASURES}.changes:Changes",
            "purity": f"{MEASURES}.purity:Purity",
            "agreement": f"{MEASURES}.agreement:Agreement",
            "mark_consensus": f"{MEASURES}.mark_consensus:MarkConsensus",
            "discourse": f"{MEASURES}.spans:Discourse",
            "seg_eval": f"{MEASURES}.seg_eval:SegEval",
            "starts": f"{MEASURES}.spans:Starts",
            "spans": f"{MEASURES}.spans:UnitSpans",
            "rand": f"{MEASURES}.rand:Rand",
            "conventions": f"{MEASURES}.conventions:Conventions",
            "choi": f"{MEASURES}.conventions:Choi",
            "ghd": f"{MEASURES}.ghd:Ghd",
            "coders": f"{MEASURES}.coders:Coders",
            "coder_pairs": f"{MEASURES}.coders:CoderPairs",
            "breaks": f"{MEASURES}.breaks:Breaks",
            "sigma": f"{MEASURES}.sigma:Sigma",
            "ter_br": f"{MEASURES}.sigma:TerBr",
            "evalsub": f"{MEASURES}.evalsub:EvalSub",
            "reading": f"{MEASURES}.reading:ReadingLoad",
        }
    ),
    further=(
        "deviation",
        "unsupseg",
        "strgar",
        "tokens",
        "kamper",
        "changes",
        "purity",
        "discourse",
        "seg_eval",
        "starts",
        "spans",
        "rand",
        "conventions",
        "choi",
        "ghd",
        "coders",
        "coder_pairs",
        "breaks",
        "sigma",
        "ter_br",
        "evalsub",
        "reading",
    ),
    extras=Later("caesura.tasks.extras:with_references"),
    page=Later(f"{TABLES}.transcript:transcript_page"),
    report_tables=Later(f"{TABLES}.transcript:report_tables"),
    errors=Later(f"{TABLES}.boundaries:ERRORS"),
)
AGREEMENT = replace(
    TRANSCRIPT,
    name="agreement",
    command="agreement",
    has_systems=False,
    alone=None,
    has_ceiling=False,
    page=Later(f"{TABLES}.transcript:agreement_page"),
    report_tables=None,
    errors=None,
)
TEXT = Task(
    name="text",
    command="text",
    unit="sentence",
    scored="tokens and sentences",
    behind="the errors",
    plan=Later("caesura.api.plans:against_gold"),
    options=Later("caesura.tasks.options.text:TextTaskOptions"),
    counter=Later("caesura.tasks.text:TextTask"),
    measures=Registry(
        {
            "joint": f"{MEASURES}.joint:Joint",
            "treebank": f"{MEASURES}.treebank:Treebank",
            "classic": f"{MEASURES}.classic:Classic",
            "words": f"{MEASURES}.word_errors:WordErrors",
            "diff": f"{MEASURES}.word_diff:WordDiff",
        }
    ),
    value=Later("caesura.api.values:as_text"),
    page=Later(f"{TABLES}.text:text_page"),
    errors=Later(f"{TABLES}.text:ERRORS"),
    kept={
        "errors": (
            Later("caesura.tasks.text:TextErrors"),
            Later(f"{REPORT}.patterns:text_readings"),
        )
    },
)
TREES = Task(
    name="trees",
    command="trees",
    unit="sentence",
    scored="trees",
    behind="the trees that differ",
    plan=Later("caesura.api.plans:against_gold"),
    options=Later("caesura.tasks.options.trees:TreesOptions"),
    counter=Later("caesura.tasks.trees:TreesTask"),
    formats={
        "brackets": "trees: bracketed, one or several a line or spread over lines (.mrg)",
    },
    measures=Registry(
        {
            "brackets": f"{MEASURES}.brackets:Brackets",
            "breakdown": f"{MEASURES}.brackets:Breakdown",
            "joint": f"{MEASURES}.joint:Joint",
            "evalb": f"{MEASURES}.evalb:Evalb",
        }
    ),
    value=Later("caesura.api.trees:as_trees"),
    groups={"label": "Brackets by label", "length": "Brackets by length of the gold sentence"},
    group_scores=Later(f"{MEASURES}.brackets:Breakdown.of_group"),
    extras=Later("caesura.tasks.tree_groups:with_groups"),
    page=Later(f"{TABLES}.trees:trees_page"),
    errors=Later(f"{TABLES}.trees:ERRORS"),
    kept={
        "tree_errors": (
            Later("caesura.tasks.tree_errors:TreeErrors"),
            Later(f"{REPORT}.trees:trees_readings"),
        )
    },
)
CORRECTIONS = Task(
    name="corrections",
    command="corrections",
    unit="sentence",
    scored="corrections",
    behind="the wrong edits",
    plan=Later("caesura.api.plans:against_gold"),
    options=Later("caesura.tasks.options.corrections:CorrectionsOptions"),
    counter=Later("caesura.tasks.corrections:CorrectionsTask"),
    formats={"m2": "corrections: M2, tokenized sentences (S) with their edits (A)"},
    measures=Registry(
        {
            "corrections": f"{MEASURES}.corrections:Corrections",
            "types": f"{MEASURES}.corrections:Types",
        }
    ),
    value=Later("caesura.api.corrections:as_corrections"),
    groups={
        "type": "Edits by type",
        "operation": "Edits by operation",
        "main": "Edits by type without operation",
    },
    group_scores=Later(f"{MEASURES}.corrections:Types.of_group"),
    problems={
        "outside_edits": ("edit", "whose span the sentence does not have; ignored"),
        "overlapping_edits": (
            "edit",
            "at a place that the same annotator edits already; each counts, as in ERRANT",
        ),
        "annotators_missing": (
            "sentence",
            "without some of the annotators, who are not chosen there; write a noop for those who "
            "change nothing",
        ),
    },
    extras=Later("caesura.tasks.edit_groups:with_types"),
    page=Later(f"{TABLES}.corrections:corrections_page"),
    errors=Later(f"{TABLES}.corrections:ERRORS"),
    kept={
        "edit_errors": (
            Later("caesura.tasks.corrections:EditErrors"),
            Later(f"{REPORT}.edits:corrections_readings"),
        )
    },
)
MORPHEMES = Task(
    name="morphemes",
    command="score morphemes",
    unit="line",
    scored="morphs",
    behind="the wrong lines",
    plan=Later("caesura.api.plans:against_gold"),
    options=Later("caesura.tasks.options.morphemes:MorphemesOptions"),
    counter=Later("caesura.tasks.morphemes:MorphemesTask"),
    measures=Registry(
        {
            "morphs": f"{MEASURES}.morphs:Morphs",
            "categories": f"{MEASURES}.morphs:Categories",
        }
    ),
    value=Later("caesura.api.morphemes:as_morphs"),
    formats={
        "morphs": "morphemes: a word or sentence, a tab, its morphs (read @@er), and a category if "
        "any",
    },
    problems={
        "odd_morphs": (
            "line",
            "with an empty morph, or with @@ at the beginning; they count as written, as in "
            "evaluate.py",
        ),
        "other_words": ("line", "of other words than the gold's, paired by their numbers"),
    },
    groups={"category": "Morphs by category"},
    group_scores=Later(f"{MEASURES}.morphs:Categories.of_group"),
    extras=Later("caesura.tasks.morph_groups:with_categories"),
    tables={
        "unit": ("morphs", "Morphs"),
        "other": ("boundaries", "Boundaries of surface morphs"),
    },
    errors=Later(f"{TABLES}.morphemes:ERRORS"),
    kept={
        "morph_pairs": (
            Later("caesura.tasks.morphemes:MorphPairs"),
            Later(f"{REPORT}.morphs:morphs_readings"),
        )
    },
)
SENTENCES = Task(
    name="sentences",
    command="sentences",
    unit="segment",
    scored="sentences",
    behind="the segments",
    against=("references",),
    plan=Later("caesura.api.plans:in_segments"),
    options=Later("caesura.tasks.options.sentences:SentencesOptions"),
    counter=Later("caesura.tasks.sentences:SentencesTask"),
    measures=Registry(
        {
            "sentences": f"{MEASURES}.sentences:Sentences",
            "bleu": f"{MEASURES}.translation:Bleu",
            "chrf": f"{MEASURES}.translation:Chrf",
            "ter": f"{MEASURES}.translation:Ter",
        }
    ),
    extras=Later("caesura.tasks.extras:with_words"),
    page=Later(f"{TABLES}.sentences:sentences_page"),
    errors=Later(f"{TABLES}.sentences:ERRORS"),
    kept={
        "segment_pairs": (
            Later("caesura.tasks.segment_pairs:SegmentPairs"),
            Later(f"{REPORT}.sentences:sentences_readings"),
        )
    },
)
TERMS = Task(
    name="terms",
    command="terms",
    unit="unit",
    scored="terms",
    behind="the clusters",
    against=("phones", "words"),
    plan=Later("caesura.api.plans:corpus"),
    resampled="recording",
    options=Later("caesura.tasks.options.terms:TermsOptions"),
    counter=Later("caesura.tasks.terms:TermsTask"),
    formats={
        "class": "speech: discovered intervals as `Class 1` and FILE ON OFF lines",
        "phn": "speech: gold phones or words as FILE ON OFF LABEL lines (.phn, .wrd)",
        "ctm": "speech: gold phones or words as FILE CHANNEL START DURATION LABEL lines",
        "textgrid": "speech: gold phones or words in the tiers `phones` and `words`",
    },
    measures=Registry({"terms": f"{MEASURES}.terms:Terms"}),
    extras=Later("caesura.tasks.extras:of_corpus"),
    page=Later(f"{TABLES}.terms:terms_page"),
)
UTTERANCES = Task(
    name="utterances",
    command="caesura.wordseg",
    unit="unit",
    scored="words",
    behind="",
    measures=Registry({"wordseg": f"{MEASURES}.wordseg:Wordseg"}),
)
