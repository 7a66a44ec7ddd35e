-- One phase of one attempt: what people see of the work while it is done, and afterwards.
create table job_operation (
  job_id text not null references job on delete cascade,
  attempt integer not null,
  -- counts the phases of the attempt from 1
  n integer not null,
  name text not null,
  state text not null check (state in ('running', 'succeeded', 'failed', 'aborted', 'timedOut')),
  runner_name text not null,
  start_time timestamptz not null,
  end_time timestamptz,
  done double precision not null,
  -- 0: not known
  total double precision not null,
  unit text,
  primary key (job_id, attempt, n)
);
create trigger job_operation_gone after delete on job_operation
  referencing old table as gone for each statement execute function row_gone();

-- However an attempt ends, with it ends the phase it was in. What has told of no phase costs nothing here.
create function end_operations() returns trigger language plpgsql as $$
begin
  update job_operation set end_time = greatest(start_time, new.updated_at),
    state = case when new.state not in ('queued', 'running') then new.state
      when new.failures > old.failures then 'failed' else 'aborted' end
  where job_id = old.id and attempt = old.attempt and state = 'running';
  return null;
end $$;
create trigger job_attempt_ended after update of state, attempt on job for each row
  when (old.progress is not null and old.state = 'running'
    and (new.state <> 'running' or new.attempt <> old.attempt))
  execute function end_operations();

alter table job_log
  -- 0: of the service, before any attempt
  add column attempt integer not null default 0,
  -- the phase of the attempt, 0: none
  add column operation integer not null default 0;
create index job_log_operation on job_log (job_id, attempt, operation, seq);
create index job_log_severe on job_log (job_id, seq) where level in ('warning', 'error');

alter table job
  -- how many lines there were of debug, info, warning and error
  add column log_counts integer[] not null default '{0,0,0,0}',
  -- the line before the first of this attempt
  add column log_from integer not null default 0;
update job set log_counts = counted.counts from (
  select job_id, array[count(*) filter (where level = 'debug'), count(*) filter (where level = 'info'),
    count(*) filter (where level = 'warning'), count(*) filter (where level = 'error')]::integer[] as counts
  from job_log group by job_id
) counted where counted.job_id = job.id;
