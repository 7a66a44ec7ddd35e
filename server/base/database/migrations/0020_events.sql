-- What has changed in projects, for those who follow them. Triggers write it in the transaction of the change itself, so
-- that it is told exactly when that is committed. The ids tell nothing of the order of commits: whoever reads moves the
-- rows, as soon as they can be seen, to project_event, one mover at a time, where positions come in the order of commits.
-- No foreign key: it would lock the row of the project with each change.
create table project_change (
  id bigint generated always as identity primary key,
  project_id text not null,
  type text not null,
  action text not null,
  resource_id text not null,
  revision integer,
  -- who did it; null: not known
  by text,
  -- who may know of it without the permission
  owner_id text,
  -- of a job
  task_id text,
  state text,
  -- of files of a data bucket, how many
  count bigint,
  at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create table project_event (
  position bigint generated always as identity primary key,
  project_id text not null,
  type text not null,
  action text not null,
  resource_id text not null,
  revision integer,
  by text,
  owner_id text,
  task_id text,
  state text,
  count bigint,
  at timestamptz not null
);
create index project_event_project on project_event (project_id, position);

-- Of what came before this position, something is no longer there.
create table event_horizon (
  position bigint not null
);
insert into event_horizon values (0);

-- Whoever deletes into the trash is known by its entry.
create function who_deletes() returns text language sql stable as $$
  select deleted_by from trash_entry where id = trash_of_transaction()
$$;

create function tell_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by)
    select project_id, tg_argv[0], 'created', id, revision, updated_by from added;
  return null;
end $$;
create function tell_changed() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by)
    values (new.project_id, tg_argv[0], 'changed', new.id, new.revision, new.updated_by);
  return null;
end $$;
-- Of what goes with its project nobody is left to be told.
create function tell_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by)
    select project_id, tg_argv[0], 'deleted', id, who_deletes() from gone
    where exists (select from project p where p.id = gone.project_id);
  return null;
end $$;

do $$
declare
  told record;
begin
  for told in
    select * from (values ('task', 'task'), ('module', 'module'), ('app', 'app'), ('datasource', 'datasource'),
      ('data_bucket', 'data-bucket')) as one (source, type)
  loop
    execute format('create trigger %1$I after insert on %2$I referencing new table as added
      for each statement execute function tell_created(%3$L)', told.source || '_told_created', told.source, told.type);
    -- a row that only counts or remembers something for the service has no new revision
    execute format('create trigger %1$I after update on %2$I for each row when (old.revision <> new.revision)
      execute function tell_changed(%3$L)', told.source || '_told_changed', told.source, told.type);
    execute format('create trigger %1$I after delete on %2$I referencing old table as gone
      for each statement execute function tell_deleted(%3$L)', told.source || '_told_deleted', told.source, told.type);
  end loop;
end $$;

create function tell_project() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by)
    values (new.id, 'project', 'changed', new.id, new.revision, new.updated_by);
  return null;
end $$;
create trigger project_told_changed after update on project for each row when (old.revision <> new.revision)
  execute function tell_project();

create function tell_member() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by)
    values (new.project_id, 'member', tg_argv[0], new.user_id, new.updated_by);
  return null;
end $$;
create trigger membership_told_created after insert on membership for each row execute function tell_member('created');
create trigger membership_told_changed after update on membership for each row when (old.role_id <> new.role_id)
  execute function tell_member('changed');
create function tell_member_gone() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id)
    select project_id, 'member', 'deleted', user_id from gone
    where exists (select from project p where p.id = gone.project_id);
  return null;
end $$;
create trigger membership_told_deleted after delete on membership referencing old table as gone
  for each statement execute function tell_member_gone();

-- Of a job its states are told; its progress is looked up by those who follow. One without a task stands in no list.
create function tell_job_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by, task_id, state)
    select project_id, 'job', 'created', id, revision, updated_by, task_id, state from added where task_id is not null;
  return null;
end $$;
create trigger job_told_created after insert on job referencing new table as added
  for each statement execute function tell_job_created();
create function tell_job_changed() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by, task_id, state)
    values (new.project_id, 'job', 'changed', new.id, new.revision, new.updated_by, new.task_id, new.state);
  return null;
end $$;
create trigger job_told_changed after update on job for each row
  when (new.task_id is not null and (old.state <> new.state or old.abort_requested <> new.abort_requested
    or old.is_held <> new.is_held or old.not_before is distinct from new.not_before))
  execute function tell_job_changed();
create function tell_job_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, task_id)
    select project_id, 'job', 'deleted', id, who_deletes(), task_id from gone
    where task_id is not null and exists (select from project p where p.id = gone.project_id);
  return null;
end $$;
create trigger job_told_deleted after delete on job referencing old table as gone
  for each statement execute function tell_job_deleted();

-- Files by their buckets. Triggers fire in the order of their names: these come before those that lock the root.
create function tell_objects_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, owner_id, count)
    select o.project_id, 'objects', 'created', o.bucket_id, o.by, b.created_by, o.count
    from (select project_id, bucket_id, max(updated_by) as by, count(*) as count from added group by 1, 2) o
      join data_bucket b on b.id = o.bucket_id;
  return null;
end $$;
create trigger object_told_created after insert on object referencing new table as added
  for each statement execute function tell_objects_created();
-- Those that are moved to another bucket have changed both.
create function tell_objects_changed() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, owner_id, count)
    select o.project_id, 'objects', 'changed', o.bucket_id, o.by, b.created_by, o.count
    from (
      select project_id, bucket_id, max(updated_by) as by, count(*) as count from kept group by 1, 2
      union all
      select project_id, bucket_id, null, count(*) from gone
        where bucket_id <> all (array(select distinct bucket_id from kept)) group by 1, 2
    ) o join data_bucket b on b.id = o.bucket_id;
  return null;
end $$;
create trigger object_told_changed after update on object referencing old table as gone new table as kept
  for each statement execute function tell_objects_changed();
create function tell_objects_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, owner_id, count)
    select o.project_id, 'objects', 'deleted', o.bucket_id, who_deletes(), b.created_by, o.count
    from (select project_id, bucket_id, count(*) as count from gone group by 1, 2) o
      join data_bucket b on b.id = o.bucket_id;
  return null;
end $$;
create trigger object_told_deleted after delete on object referencing old table as gone
  for each statement execute function tell_objects_deleted();
