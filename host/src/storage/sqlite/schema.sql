-- The tables of the store. docs/format.md says what every column means.

CREATE TABLE sessions (
    number   INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    length   INTEGER NOT NULL,
    modified INTEGER NOT NULL
) STRICT;
CREATE INDEX recent ON sessions (modified DESC, id);

-- A log as stretches that end with a line feed; the last one may not.
CREATE TABLE lines (
    number  INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    bytes   BLOB NOT NULL,
    UNIQUE (session, at)
) STRICT;

CREATE TABLE asides (
    session INTEGER NOT NULL,
    name    TEXT NOT NULL,
    at      INTEGER NOT NULL,
    bytes   BLOB NOT NULL,
    PRIMARY KEY (session, name, at)
) STRICT;

CREATE TABLE checkpoints (
    session INTEGER PRIMARY KEY,
    bytes   BLOB NOT NULL
) STRICT;

-- For people who ask with SQL; the store itself never looks into a line.
CREATE VIEW events (session_id, seq, type, time, data) AS
    SELECT id, line ->> '$.seq', line ->> '$.type', line ->> '$.time', line -> '$.data'
    FROM (
        SELECT id, at, CASE WHEN json_valid(CAST(bytes AS TEXT)) THEN CAST(bytes AS TEXT) END AS line
        FROM lines JOIN sessions ON sessions.number = lines.session
    )
    WHERE line ->> '$.seq' IS NOT NULL
    ORDER BY id, at;

-- "aSes"
PRAGMA application_id = 1632855411;
PRAGMA user_version = 1;
