-- The runs of a cron task that were made, as stretches of its schedule without a gap: none is made twice, also where the
-- clock of the service is put back.
create table task_run (
  task_id text not null references task on delete cascade,
  -- the instants for which the first and the last run of the stretch were made
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (task_id, last_at)
);

-- Is anything of the task still to be done? Its history may be long.
create index job_queued_of_task on job (task_id, created_at, id) where state = 'queued';

-- A job that was deleted with all that it made is one thing.
alter table trash_entry drop constraint trash_entry_type_check;
alter table trash_entry add constraint trash_entry_type_check
  check (type in ('object', 'folder', 'data-bucket', 'datasource', 'module', 'app', 'task', 'job'));

-- When a job of a task has ended: the one of the task that has waited for longest is held no more, unless another is still
-- under way. A plan that reads all jobs would be right only by the statistics of a moment.
create function release_held(of_task text, ended text) returns boolean language plpgsql set enable_seqscan = off as $$
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
