-- Records an event for each deleted resource, unless its whole project was deleted.
create or replace function record_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by)
    select project_id, tg_argv[0], 'deleted', id, deleting_user() from gone
    where exists (select from project p where p.id = gone.project_id);
  return null;
end $$;

create or replace trigger task_told_deleted after delete on task referencing old table as gone
  for each statement execute function record_deleted('task');
create or replace trigger module_told_deleted after delete on module referencing old table as gone
  for each statement execute function record_deleted('module');
create or replace trigger app_told_deleted after delete on app referencing old table as gone
  for each statement execute function record_deleted('app');
create or replace trigger datasource_told_deleted after delete on datasource referencing old table as gone
  for each statement execute function record_deleted('datasource');
create or replace trigger data_bucket_told_deleted after delete on data_bucket referencing old table as gone
  for each statement execute function record_deleted('data-bucket');
create or replace trigger app_release_told_deleted after delete on app_release referencing old table as gone
  for each statement execute function record_deleted('release');
create or replace trigger credential_told_deleted after delete on credential referencing old table as gone
  for each statement execute function record_deleted('credential');
create or replace trigger scenario_told_deleted after delete on scenario referencing old table as gone
  for each statement execute function record_deleted('scenario');
