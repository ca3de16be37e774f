"""The tables of the database: documents, people, their sessions, and the log of events."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = 2
"""The version of a project; one of an earlier studio is brought up to date by an event."""
METADATA = MetaData()
_NUMBER = BigInteger().with_variant(Integer, "sqlite")

SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("name", String(512), nullable=False, unique=True),
    Column("digest", String(64), nullable=False),
    Column("length", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("before", Text, nullable=False, server_default="{}"),
)
"""`content` is what the page shows, as JSON; `digest` is the hash of the words; `before` are the
boundaries with which annotators begin, as JSON, if the manager has chosen that."""
OF_THE_PROJECT = {"id": 0, "name": "", "digest": "", "length": 0, "content": "{}", "before": "{}"}
"""The document of events that are of no document."""
PEOPLE = Table(
    "people",
    METADATA,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("is_manager", Boolean, nullable=False),
    Column("invitation", String(64), unique=True),
    Column("is_revoked", Boolean, nullable=False, default=False),
)
"""`invitation` is the hash of the token in a link."""
SESSIONS = Table(
    "sessions",
    METADATA,
    Column("token", String(64), primary_key=True),
    Column("person", _NUMBER, ForeignKey("people.id"), nullable=False),
    Column("since", Float, nullable=False),
)
"""`token` is the hash of what the cookie holds."""
EVENTS = Table(
    "events",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    Column("person", _NUMBER, ForeignKey("people.id"), nullable=False),
    Column("at", Float, nullable=False),
    Column("client", String(64), nullable=False),
    Column("sequence", _NUMBER, nullable=False),
    Column("document", _NUMBER, ForeignKey("documents.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("gap", Integer, nullable=False),
    Column("value", Text),
    UniqueConstraint("client", "sequence"),
    Index("events_of_a_document", "document", "number"),
)
"""The log: rows are only ever added."""
