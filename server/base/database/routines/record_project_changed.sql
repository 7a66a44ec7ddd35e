-- Records an event for a changed project.
create or replace function record_project_changed() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, revision, by)
    values (new.id, 'project', 'changed', new.id, new.revision, new.updated_by);
  return null;
end $$;

create or replace trigger project_told_changed after update on project for each row when (old.revision <> new.revision)
  execute function record_project_changed();
