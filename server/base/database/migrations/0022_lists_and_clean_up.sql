-- Lists show jobs of tasks only: inspections, which are many, stay out of these indexes. The last columns let a page, and a
-- count, be found in an index alone, in one project as in all.
drop index job_created_at;
drop index job_task;
create index job_of_project on job (project_id, created_at, id) where task_id is not null;
create index job_newest on job (created_at, id) where task_id is not null;
create index job_task on job (task_id, created_at, id) where task_id is not null;
create index job_type on job (job_type, created_at, id, project_id) where task_id is not null;
create index job_start on job (start_time, id, project_id, created_at) where task_id is not null and start_time is not null;
-- Written once, when a job ends.
create index job_state on job (state, created_at, id, project_id)
  where task_id is not null and state in ('succeeded', 'failed', 'aborted', 'timedOut');
create index job_end on job (end_time, id, project_id, created_at, task_id) where end_time is not null;
-- Of few.
create index job_error on job (error_code, created_at, id, project_id)
  where task_id is not null and error_code is not null;
create index job_rejected on job (created_at, id, project_id) where task_id is not null and rejected > 0;

create index task_newest on task (created_at, id);

-- How many jobs of tasks there are: what is in job_count and in job_count_change together, at any moment.
create table job_count (
  -- '': of all tasks of the project
  task_id text not null,
  project_id text not null,
  job_type text not null,
  -- how they have ended; 'any': all there are, so that those which have not ended are the rest
  state text not null,
  jobs bigint not null,
  primary key (task_id, project_id, job_type, state)
);
create index job_count_none on job_count (task_id) where jobs = 0;

-- Rows are only ever added, so that no two jobs wait for each other; server/jobs/counters.ts adds them up. Nothing here refers
-- to the project: when that goes, its jobs are counted off one by one.
create table job_count_change (
  task_id text not null,
  project_id text not null,
  job_type text not null,
  state text not null,
  jobs bigint not null
);

create function count_new_jobs() returns trigger language plpgsql as $$
begin
  insert into job_count_change (task_id, project_id, job_type, state, jobs)
    select task_id, project_id, job_type, 'any', count(*) from added where task_id is not null group by 1, 2, 3
    union all
    select task_id, project_id, job_type, state, count(*) from added
      where task_id is not null and state not in ('queued', 'running') group by 1, 2, 3, 4;
  return null;
end $$;
create function count_gone_jobs() returns trigger language plpgsql as $$
begin
  insert into job_count_change (task_id, project_id, job_type, state, jobs)
    select task_id, project_id, job_type, 'any', -count(*) from gone where task_id is not null group by 1, 2, 3
    union all
    select task_id, project_id, job_type, state, -count(*) from gone
      where task_id is not null and state not in ('queued', 'running') group by 1, 2, 3, 4;
  return null;
end $$;
create function count_ended_job() returns trigger language plpgsql as $$
begin
  if new.state not in ('queued', 'running') then
    insert into job_count_change values (new.task_id, new.project_id, new.job_type, new.state, 1);
  end if;
  if old.state not in ('queued', 'running') then
    insert into job_count_change values (old.task_id, old.project_id, old.job_type, old.state, -1);
  end if;
  return null;
end $$;
create trigger job_count_added after insert on job
  referencing new table as added for each statement execute function count_new_jobs();
create trigger job_count_gone after delete on job
  referencing old table as gone for each statement execute function count_gone_jobs();
-- A claim is no end: it does not get as far as the function.
create trigger job_count_ended after update of state on job for each row
  when (old.state is distinct from new.state and new.task_id is not null
    and not (old.state in ('queued', 'running') and new.state in ('queued', 'running')))
  execute function count_ended_job();

-- What is counted stays what it is.
create function refuse_other_task() returns trigger language plpgsql as $$
begin
  raise exception 'a job keeps its project, its task and its type';
end $$;
create trigger job_keeps_task before update of project_id, task_id, job_type on job for each row
  when ((old.project_id, old.task_id, old.job_type) is distinct from (new.project_id, new.task_id, new.job_type))
  execute function refuse_other_task();

insert into job_count (task_id, project_id, job_type, state, jobs)
  select coalesce(task_id, ''), project_id, job_type, coalesce(state, 'any'), count(*) from job where task_id is not null
  group by project_id, job_type, grouping sets ((), (task_id), (state), (task_id, state))
  having grouping(state) = 1 or state not in ('queued', 'running');

-- What a clean-up has removed: a row for each project and kind of things of which there were any.
create table cleanup (
  id text primary key,
  at timestamptz not null,
  -- null: it belongs to no project. The project may be gone.
  project_id text,
  kind text not null,
  count bigint not null,
  -- what there is less of: of files whose bytes others share, or whose bytes go later, their sizes
  bytes bigint not null,
  detail json not null
);
create index cleanup_at on cleanup (at, id);
create index cleanup_project on cleanup (project_id, at, id);
