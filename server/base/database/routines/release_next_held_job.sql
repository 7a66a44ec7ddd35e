-- Releases the held job of a task that has waited longest, when another job of the task has ended and none is under
-- way. Sequential scans are off: a plan made while the table is small would be kept when it is large.
create or replace function release_next_held_job(of_task text, ended text) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  next text;
begin
  select j.id into next from job j where j.task_id = of_task and j.is_held and j.id <> ended
    order by j.created_at, j.id limit 1;
  if next is null
    or exists (select from job o where o.task_id = of_task and not o.is_held and o.id <> ended and o.state = 'queued')
    or exists (select from job o where o.task_id = of_task and not o.is_held and o.id <> ended and o.state = 'running')
  then
    return false;
  end if;
  update job set is_held = false, revision = revision + 1 where id = next and is_held;
  return found;
end $$;
