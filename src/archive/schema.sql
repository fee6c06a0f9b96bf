CREATE TABLE campaign(id INTEGER PRIMARY KEY,
 hash TEXT NOT NULL UNIQUE, model TEXT NOT NULL,
 model_text TEXT NOT NULL, settings TEXT NOT NULL, darc TEXT NOT NULL,
 baseline INTEGER REFERENCES recording(id));
CREATE TABLE recording(id INTEGER PRIMARY KEY,
 campaign INTEGER NOT NULL REFERENCES campaign(id),
 position REAL NOT NULL, file TEXT NOT NULL, sha256 TEXT, damage TEXT,
 added TEXT NOT NULL DEFAULT (datetime('now')),
 UNIQUE(campaign, sha256));
CREATE TABLE fit(
 recording INTEGER PRIMARY KEY REFERENCES recording(id),
 misfit INTEGER NOT NULL, error_dof REAL, ratio REAL, p_value REAL);
CREATE TABLE equation(
 recording INTEGER NOT NULL REFERENCES fit(recording),
 equation INTEGER NOT NULL, reference INTEGER NOT NULL,
 offset INTEGER NOT NULL, origin INTEGER NOT NULL, size REAL,
 defect REAL, defect_low REAL, defect_high REAL, defect_input REAL,
 arbitrary REAL, PRIMARY KEY(recording, equation)) WITHOUT ROWID;
CREATE TABLE coefficient(
 recording INTEGER NOT NULL REFERENCES fit(recording),
 coefficient INTEGER NOT NULL, equation INTEGER NOT NULL,
 function TEXT NOT NULL, value REAL, sd REAL, free INTEGER NOT NULL,
 share REAL, bias REAL, PRIMARY KEY(recording, coefficient))
 WITHOUT ROWID;
CREATE TABLE covariance(
 recording INTEGER NOT NULL REFERENCES fit(recording),
 a INTEGER NOT NULL, b INTEGER NOT NULL, value REAL, moment REAL,
 PRIMARY KEY(recording, a, b)) WITHOUT ROWID;
PRAGMA application_id = 1684107875;
