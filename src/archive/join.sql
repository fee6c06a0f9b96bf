BEGIN IMMEDIATE;
INSERT INTO main.campaign(hash, model, model_text, settings, darc)
 SELECT hash, model, model_text, settings, darc FROM b.campaign
 WHERE hash NOT IN (SELECT hash FROM main.campaign) ORDER BY id;
CREATE TEMP TABLE campaigns AS SELECT c.id AS old, d.id AS new,
 (SELECT coalesce(max(position), 0) FROM main.recording
  WHERE campaign = d.id) AS last
 FROM b.campaign c JOIN main.campaign d ON d.hash = c.hash;
CREATE TEMP TABLE moved(old INTEGER PRIMARY KEY, new INTEGER, fresh);
INSERT INTO moved SELECT r.id, m.id, 0 FROM b.recording r
 JOIN campaigns c ON c.old = r.campaign
 JOIN main.recording m ON m.campaign = c.new AND m.sha256 = r.sha256;
INSERT INTO moved SELECT id,
 (SELECT coalesce(max(id), 0) FROM main.recording)
 + row_number() OVER (ORDER BY id), 1
 FROM b.recording WHERE id NOT IN (SELECT old FROM moved);
INSERT INTO main.recording(id, campaign, position, file, sha256, damage,
 added) SELECT v.new, c.new, c.last + row_number()
 OVER (PARTITION BY c.new ORDER BY r.position, r.id), r.file, r.sha256,
 r.damage, r.added FROM b.recording r
 JOIN moved v ON v.old = r.id AND v.fresh
 JOIN campaigns c ON c.old = r.campaign;
INSERT INTO main.fit SELECT v.new, misfit, error_dof, ratio, p_value
 FROM b.fit JOIN moved v ON v.old = recording AND v.fresh;
INSERT INTO main.equation SELECT v.new, equation, reference, offset,
 origin, size, defect, defect_low, defect_high, defect_input, arbitrary
 FROM b.equation JOIN moved v ON v.old = recording AND v.fresh;
INSERT INTO main.coefficient SELECT v.new, coefficient, equation,
 function, value, sd, free, share, bias
 FROM b.coefficient JOIN moved v ON v.old = recording AND v.fresh;
INSERT INTO main.covariance SELECT v.new, a, b, value, moment
 FROM b.covariance JOIN moved v ON v.old = recording AND v.fresh;
INSERT OR IGNORE INTO main.told SELECT v.new, name, value
 FROM b.told JOIN moved v ON v.old = recording;
UPDATE main.campaign SET baseline = (SELECT v.new FROM b.campaign c
 JOIN moved v ON v.old = c.baseline WHERE c.hash = campaign.hash)
 WHERE baseline IS NULL;
DROP TABLE moved; DROP TABLE campaigns;
COMMIT; DETACH b;
