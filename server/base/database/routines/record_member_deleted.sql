-- Records an event for each removed member, unless the whole project was deleted.
create or replace function record_member_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id)
    select project_id, 'member', 'deleted', user_id from gone
    where exists (select from project p where p.id = gone.project_id);
  return null;
end $$;

create or replace trigger membership_told_deleted after delete on membership referencing old table as gone
  for each statement execute function record_member_deleted();
