-- null: as the service is set up
alter table project add column max_running_jobs integer;
alter table project add column keep_jobs_days integer;
alter table project add column keep_jobs integer;

alter table task add column timeout_seconds integer;

alter table job
  -- the name of the job type without a prefix, such as TilesVector: what runners tell that they can run
  add column type_name text not null default '',
  -- what goes before what, whatever its priority: 1 somebody waits for the answer, 0 a task, -1 when there is nothing else
  add column band smallint not null default 0,
  -- of a job that failed for the moment: when it is tried again
  add column not_before timestamptz,
  -- waits for the end of the job of its task before it
  add column is_held boolean not null default false,
  -- how often it failed for the moment
  add column failures integer not null default 0,
  -- how long an attempt may take, and when this one is over
  add column timeout_seconds integer,
  add column deadline_at timestamptz,
  -- how many features were set aside
  add column rejected integer not null default 0,
  -- the job that it runs again
  add column repeats text;
update job set type_name = regexp_replace(job_type, '^[a-z][a-z0-9]*', '');
update job set band = sign(priority), priority = 0 where task_id is null;

drop index job_queue;
create index job_queue on job (band desc, project_id, priority desc, created_at, id)
  where state = 'queued' and not_before is null and not is_held;
create index job_later on job (not_before) where state = 'queued' and not_before is not null;
create index job_held on job (task_id, created_at, id) where is_held;

-- There are never more of them than runners. Without the lease in an index, a heartbeat changes no index at all.
drop index job_leases;
drop index job_runner;
create index job_running on job (project_id, task_id) where state = 'running';
