-- Records one event for each bucket that lost files.
create or replace function record_objects_deleted() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, owner_id, count)
    select o.project_id, 'objects', 'deleted', o.bucket_id, deleting_user(), b.created_by, o.count
    from (select project_id, bucket_id, count(*) as count from gone group by 1, 2) o
      join data_bucket b on b.id = o.bucket_id;
  return null;
end $$;

create or replace trigger object_told_deleted after delete on object referencing old table as gone
  for each statement execute function record_objects_deleted();
