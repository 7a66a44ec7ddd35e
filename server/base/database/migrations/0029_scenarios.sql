-- A planning variant: modules that belong together, beside the apps.
create table scenario (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  properties json not null,
  -- the app that it is a variant of
  app_id text,
  publish_task_ids text[] not null default '{}',
  -- with whose permissions it reads; checked live
  member_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id),
  foreign key (project_id, app_id) references app (project_id, id) on delete set null (app_id) deferrable
);
create index scenario_created_at on scenario (project_id, created_at, id);
create index scenario_app on scenario (app_id) where app_id is not null;

create table scenario_module (
  project_id text not null,
  scenario_id text not null,
  position integer not null,
  module_id text not null,
  primary key (scenario_id, position),
  foreign key (project_id, scenario_id) references scenario (project_id, id) on delete cascade,
  -- deferred, so that a project can go with everything in it, in whatever order
  foreign key (project_id, module_id) references module (project_id, id) deferrable initially deferred
);
create index scenario_module_module on scenario_module (module_id);

alter table task_reference add column scenario_id text;
create index task_reference_scenario on task_reference (scenario_id) where scenario_id is not null;

create trigger scenario_gone after delete on scenario referencing old table as gone
  for each statement execute function row_gone();
create trigger scenario_module_gone after delete on scenario_module referencing old table as gone
  for each statement execute function row_gone();
create trigger scenario_told_created after insert on scenario referencing new table as added
  for each statement execute function tell_created('scenario');
create trigger scenario_told_changed after update on scenario for each row when (old.revision <> new.revision)
  execute function tell_changed('scenario');
create trigger scenario_told_deleted after delete on scenario referencing old table as gone
  for each statement execute function tell_deleted('scenario');
