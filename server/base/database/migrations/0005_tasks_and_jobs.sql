create table task (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  labels json not null,
  tags json not null,
  debug_level integer not null,
  priority integer not null,
  job_type text not null,
  job_version text not null,
  schedule json not null,
  properties json not null,
  parameters json not null,
  -- when the next job of a scheduled or cron task is due
  next_run_at timestamptz,
  last_job_id text,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id)
);
create index task_created_at on task (project_id, created_at, id);
create index task_due on task (next_run_at) where next_run_at is not null;

-- Whoever holds one may enrol as a runner; only its SHA-256 is stored.
create table enrolment_token (
  hash bytea primary key,
  expires_at timestamptz
);

create table runner (
  id text primary key,
  -- an embedded runner has the same name at each start, and gives back what it held before
  name text not null unique,
  labels text[] not null default '{}',
  version text not null,
  token_hash bytea not null unique,
  seen_at timestamptz not null,
  created_at timestamptz not null
);

create table job (
  id text primary key,
  project_id text not null references project on delete cascade,
  -- null: the service asked for it by itself, as it does for inspections; lists do not show it
  task_id text,
  job_type text not null,
  job_version text not null,
  labels text[] not null default '{}',
  priority integer not null,
  debug_level integer not null,
  parameters json not null,
  state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'aborted', 'timedOut')),
  -- the fence: counts the claims; who holds an older number may no longer act for the job
  attempt integer not null default 0,
  runner_id text,
  token_hash bytea,
  lease_until timestamptz,
  -- how often a runner vanished while it held the job
  lost_leases integer not null default 0,
  abort_requested boolean not null default false,
  progress json,
  stages json not null default '[]',
  -- what the parameters hold that the job type does not know, and what this attempt has noticed
  parameter_warnings json not null default '[]',
  warnings json not null default '[]',
  outputs json not null default '[]',
  -- what it has found out, and SHA-256 of all that this depends on
  report json,
  report_of bytea,
  error_code text,
  error_message text,
  -- the last line of the log, and how many lines of this attempt arrived
  log_seq integer not null default 0,
  log_received integer not null default 0,
  start_time timestamptz,
  end_time timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id),
  foreign key (project_id, task_id) references task (project_id, id) on delete cascade
);
create index job_queue on job (priority desc, created_at, id) where state = 'queued';
create index job_leases on job (lease_until) where state = 'running';
create index job_runner on job (runner_id) where state = 'running';
create index job_created_at on job (project_id, created_at, id);
create index job_task on job (task_id, created_at);
create index job_report on job (project_id, report_of, created_at) where report_of is not null;

create table job_log (
  job_id text not null references job on delete cascade,
  seq integer not null,
  at timestamptz not null,
  level text not null,
  message text not null,
  data json,
  primary key (job_id, seq)
);

-- What a running attempt has uploaded; it becomes objects of the bucket only when the job completes.
create table job_output (
  job_id text not null references job on delete cascade,
  attempt integer not null,
  key text collate "C" not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  primary key (job_id, attempt, key)
);

create index job_output_blob on job_output (blob_id);
create trigger job_output_deleted after delete on job_output
  referencing old table as gone for each statement execute function let_go_of_deleted();
create trigger job_output_replaced after update on job_output
  referencing old table as gone new table as kept for each statement execute function let_go_of_replaced();
