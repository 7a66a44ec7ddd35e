-- Records one event for each bucket whose files changed. A move to another bucket changes both.
create or replace function record_objects_changed() returns trigger language plpgsql as $$
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

create or replace trigger object_told_changed after update on object referencing old table as gone new table as kept
  for each statement execute function record_objects_changed();
