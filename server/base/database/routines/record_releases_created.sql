-- Records an event for each new release.
create or replace function record_releases_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by)
    select project_id, 'release', 'created', id, created_by from added;
  return null;
end $$;

create or replace trigger app_release_told_created after insert on app_release referencing new table as added
  for each statement execute function record_releases_created();
