-- Records an event for each created resource. The argument is the type that the event names.
create or replace function record_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by)
    select project_id, tg_argv[0], 'created', id, revision, updated_by from added;
  return null;
end $$;

create or replace trigger task_told_created after insert on task referencing new table as added
  for each statement execute function record_created('task');
create or replace trigger module_told_created after insert on module referencing new table as added
  for each statement execute function record_created('module');
create or replace trigger app_told_created after insert on app referencing new table as added
  for each statement execute function record_created('app');
create or replace trigger datasource_told_created after insert on datasource referencing new table as added
  for each statement execute function record_created('datasource');
create or replace trigger data_bucket_told_created after insert on data_bucket referencing new table as added
  for each statement execute function record_created('data-bucket');
create or replace trigger credential_told_created after insert on credential referencing new table as added
  for each statement execute function record_created('credential');
create or replace trigger scenario_told_created after insert on scenario referencing new table as added
  for each statement execute function record_created('scenario');
