"""The options of tasks and profiles as keywords; written by docs/keywords.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, Unpack, overload

from caesura.api.common import CommonKeywords
from caesura.run.given import Given
from caesura.steps.evaluation import Evaluation


class TranscriptKeywords(CommonKeywords, total=False):
    """The options of transcript."""

    window: int | str | None
    final: Literal["drop", "keep"] | None
    marks: str
    input: str
    units: Literal["auto", "marks", "segments", "breaks", "intervals"]
    tokens: Literal["auto", "characters", "words"]
    near: int
    consensus: int | str | None
    tolerance: int | str | None
    k: int | None
    tier: str | None
    rate: int | None
    force: bool
    normalize: str | Sequence[str] | None
    align: bool
    axis_from: str | None
    axis: Literal["words", "time", "samples"]
    step: int | str | None
    edges: Literal["trim", "keep"]
    duration: float | str | None
    n: int | None
    lengths: str | None
    streams: Literal["speaker", "channel"] | None
    by: Literal["speaker", "channel"] | None
    pool: bool
    uem: str | None
    threshold: float | str | None
    scores: Literal["probabilities", "logits"]
    also: str | Sequence[str] | None
    costs: str | Sequence[int] | None
    max_cpl: int
    max_cps: int
    max_lines: int
    collar: float | str | None
    skip_overlap: bool
    percentage: int
    background: str
    encoding: str | None
    profile: Literal["paper", "tool"]
    run: str | Sequence[str] | Mapping[str, str] | None


class TextKeywords(CommonKeywords, total=False):
    """The options of text."""

    units: Literal["tokens", "words"]
    equivalences: str
    algorithm: Literal["blocks", "literal"]
    normalize: Literal["nfc", "nfkc"] | None
    input: str
    sentences_only: Sequence[str]
    also: str | Sequence[str] | None
    dictionary: str | None
    encoding: str | None
    force: bool


class TreesKeywords(CommonKeywords, total=False):
    """The options of trees."""

    labels: Literal["cut", "full"]
    keep_empty: bool
    algorithm: Literal["blocks", "jp"]
    force: bool
    evalb: str | None
    encoding: str | None


class CorrectionsKeywords(CommonKeywords, total=False):
    """The options of corrections."""

    force: bool
    match: Literal["correction", "type", "span", "token"]
    annotators: Literal["best", "errant"]
    beta: float
    encoding: str | None


class MorphemesKeywords(CommonKeywords, total=False):
    """The options of morphemes."""

    also: str | Sequence[str] | None
    encoding: str | None
    force: bool


class ChunksKeywords(CommonKeywords, total=False):
    """The options of chunks."""

    documents: str | None
    run: tuple[str, ...]
    also: str | Sequence[str] | None
    encoding: str | None


class SentencesKeywords(CommonKeywords, total=False):
    """The options of sentences."""

    tokens: Literal["exact", "lower", "bare"]
    units: Literal["auto", "words", "characters"]
    resegment: Literal["auto", "always", "never"]
    metrics: str
    tokenize: str
    encoding: str | None


class TermsKeywords(CommonKeywords, total=False):
    """The options of terms."""

    profile: Literal["2017", "paper"]
    ties: Literal["decimal", "double"]
    parts: int | None
    within_talker: bool
    talkers: str | None
    encoding: str | None


class SighanProfileKeywords(CommonKeywords, total=False):
    """The options of the profile sighan."""

    dictionary: str | None
    force: bool
    also: str | Sequence[str] | None
    encoding: str | None


class DisrptProfileKeywords(CommonKeywords, total=False):
    """The options of the profile disrpt."""

    align: bool
    also: str | Sequence[str] | None
    encoding: str | None


class TopicsProfileKeywords(CommonKeywords, total=False):
    """The options of the profile topics."""

    input: str
    k: int | None
    near: int
    final: Literal["drop", "keep"] | None
    costs: str | Sequence[int] | None
    align: bool
    axis_from: str | None
    also: str | Sequence[str] | None
    encoding: str | None


class PhonesProfileKeywords(CommonKeywords, total=False):
    """The options of the profile phones."""

    tier: str | None
    rate: int | None
    tolerance: int | str | None
    final: Literal["drop", "keep"] | None
    uem: str | None
    also: str | Sequence[str] | None
    encoding: str | None


class SubtitlesProfileKeywords(CommonKeywords, total=False):
    """The options of the profile subtitles."""

    max_cpl: int
    max_cps: int
    max_lines: int
    also: str | Sequence[str] | None
    encoding: str | None


class SpeakersProfileKeywords(CommonKeywords, total=False):
    """The options of the profile speakers."""

    tier: str | None
    uem: str | None
    collar: float | str | None
    skip_overlap: bool
    tolerance: int | str | None
    also: str | Sequence[str] | None
    encoding: str | None


class ChangesProfileKeywords(CommonKeywords, total=False):
    """The options of the profile changes."""

    input: str
    tolerance: int | str | None
    window: int | str | None
    n: int | None
    lengths: str | None
    step: int | str | None
    edges: Literal["trim", "keep"]
    consensus: int | str | None
    also: str | Sequence[str] | None
    encoding: str | None


class MusicProfileKeywords(CommonKeywords, total=False):
    """The options of the profile music."""

    input: str
    edges: Literal["trim", "keep"]
    tolerance: int | str | None
    step: int | str | None
    rate: int | None
    also: str | Sequence[str] | None
    encoding: str | None


class ChaptersProfileKeywords(CommonKeywords, total=False):
    """The options of the profile chapters."""

    input: str
    tolerance: int | str | None
    step: int | str | None
    k: int | None
    near: int
    duration: float | str | None
    lengths: str | None
    edges: Literal["trim", "keep"]
    also: str | Sequence[str] | None
    encoding: str | None


class ShotsProfileKeywords(CommonKeywords, total=False):
    """The options of the profile shots."""

    input: str
    tolerance: int | str | None
    threshold: float | str | None
    scores: Literal["probabilities", "logits"]
    n: int | None
    lengths: str | None
    step: int | str | None
    edges: Literal["trim", "keep"]
    consensus: int | str | None
    also: str | Sequence[str] | None
    encoding: str | None


class EventsProfileKeywords(CommonKeywords, total=False):
    """The options of the profile events."""

    input: str
    axis: Literal["words", "time", "samples"]
    rate: int | None
    tolerance: int | str | None
    percentage: int
    step: int | str | None
    background: str
    duration: float | str | None
    n: int | None
    lengths: str | None
    edges: Literal["trim", "keep"]
    consensus: int | str | None
    also: str | Sequence[str] | None
    encoding: str | None


class MorphemesProfileKeywords(CommonKeywords, total=False):
    """The options of the profile morphemes."""

    force: bool
    also: str | Sequence[str] | None
    encoding: str | None


class ChunksProfileKeywords(CommonKeywords, total=False):
    """The options of the profile chunks."""

    documents: str | None
    run: tuple[str, ...]
    also: str | Sequence[str] | None
    encoding: str | None


class Evaluate(Protocol):
    """evaluate(), for each task and each profile."""

    @overload
    def __call__(
        self,
        systems: Given = ...,
        references: Given = ...,
        *,
        task: Literal["transcript"] | None = ...,
        **options: Unpack[TranscriptKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        task: Literal["text"] | None = ...,
        **options: Unpack[TextKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        task: Literal["trees"],
        **options: Unpack[TreesKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        task: Literal["corrections"],
        **options: Unpack[CorrectionsKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        task: Literal["morphemes"],
        **options: Unpack[MorphemesKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        task: Literal["chunks"],
        **options: Unpack[ChunksKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        references: Given,
        *,
        task: Literal["sentences"],
        docids: object = ...,
        **options: Unpack[SentencesKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        phones: object,
        words: object,
        task: Literal["terms"] | None = ...,
        **options: Unpack[TermsKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["sighan"],
        **options: Unpack[SighanProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["disrpt"],
        **options: Unpack[DisrptProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["topics"],
        **options: Unpack[TopicsProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["phones"],
        **options: Unpack[PhonesProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["subtitles"],
        **options: Unpack[SubtitlesProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["speakers"],
        **options: Unpack[SpeakersProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["changes"],
        **options: Unpack[ChangesProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["music"],
        **options: Unpack[MusicProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["chapters"],
        **options: Unpack[ChaptersProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["shots"],
        **options: Unpack[ShotsProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["events"],
        **options: Unpack[EventsProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["morphemes"],
        **options: Unpack[MorphemesProfileKeywords],
    ) -> Evaluation: ...
    @overload
    def __call__(
        self,
        systems: Given,
        *,
        gold: object,
        profile: Literal["chunks"],
        **options: Unpack[ChunksProfileKeywords],
    ) -> Evaluation: ...


evaluate: Evaluate
