alter table runner
  -- the names of the job types that it knows, without a prefix; null: it has not told, and is given any job
  add column type_names text[],
  -- what it has: cores, memory, limits, platform
  add column capabilities json,
  -- when it told that it was shut down; null: it has not, since it came
  add column stopped_at timestamptz;

alter table enrolment_token
  -- null: the one of the operator's configuration
  add column id text unique,
  add column name text not null default '',
  add column created_at timestamptz not null default now(),
  add column created_by text not null default '';
