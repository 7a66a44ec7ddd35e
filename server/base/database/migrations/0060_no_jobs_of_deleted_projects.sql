-- Runners claim no jobs of deleted projects (claim_job), also not those that were queued while the project was deleted.
-- An older replica would restore its own routine, and therefore must not start.
select;
