-- Records an event for a changed resource. Rows that only count something keep their revision, and record nothing.
create or replace function record_changed() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by)
    values (new.project_id, tg_argv[0], 'changed', new.id, new.revision, new.updated_by);
  return null;
end $$;

create or replace trigger task_told_changed after update on task for each row when (old.revision <> new.revision)
  execute function record_changed('task');
create or replace trigger module_told_changed after update on module for each row when (old.revision <> new.revision)
  execute function record_changed('module');
create or replace trigger app_told_changed after update on app for each row when (old.revision <> new.revision)
  execute function record_changed('app');
create or replace trigger datasource_told_changed after update on datasource for each row when (old.revision <> new.revision)
  execute function record_changed('datasource');
create or replace trigger data_bucket_told_changed after update on data_bucket for each row when (old.revision <> new.revision)
  execute function record_changed('data-bucket');
create or replace trigger credential_told_changed after update on credential for each row when (old.revision <> new.revision)
  execute function record_changed('credential');
create or replace trigger scenario_told_changed after update on scenario for each row when (old.revision <> new.revision)
  execute function record_changed('scenario');
