-- Records an event for a new member, or for a member with another role.
create or replace function record_member() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by)
    values (new.project_id, 'member', tg_argv[0], new.user_id, new.updated_by);
  return null;
end $$;

create or replace trigger membership_told_created after insert on membership for each row execute function record_member('created');
create or replace trigger membership_told_changed after update on membership for each row when (old.role_id <> new.role_id)
  execute function record_member('changed');
