-- Locks a job of a task that this attempt holds and has uploaded nothing for: ending it needs nothing else.
-- volatile, so that each statement sees what was committed while it waited for the lock.
create or replace function lock_job_without_outputs(wanted text, of_attempt integer) returns boolean language plpgsql as $$
begin
  perform from job j where j.id = wanted and j.attempt = of_attempt and j.state = 'running' and not j.abort_requested
    and j.task_id is not null for no key update;
  return found and not exists (select from job_output o where o.job_id = wanted)
    and not exists (select from reservation r where r.id = wanted);
end $$;
