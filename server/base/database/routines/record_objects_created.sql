-- Records one event for each bucket that got files. Triggers fire in the order of their names: these fire before those
-- that lock the root folder.
create or replace function record_objects_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by, owner_id, count)
    select o.project_id, 'objects', 'created', o.bucket_id, o.by, b.created_by, o.count
    from (select project_id, bucket_id, max(updated_by) as by, count(*) as count from added group by 1, 2) o
      join data_bucket b on b.id = o.bucket_id;
  return null;
end $$;

create or replace trigger object_told_created after insert on object referencing new table as added
  for each statement execute function record_objects_created();
