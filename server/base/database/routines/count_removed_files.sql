-- Subtracts removed files from the counts of their folders, the deepest folder first. An empty folder is deleted, and
-- its parent counts one folder fewer.
create or replace function count_removed_files() returns trigger language plpgsql as $$
declare
  changed record;
  is_empty boolean;
  bucket text;
  within text;
  emptied integer := 0;
begin
  perform from folder where path = '' and bucket_id = any (array(select distinct bucket_id from gone))
    order by bucket_id for update;
  for changed in
    select bucket_id, above.path, above.parent, coalesce(sum(count) filter (where above.path = folder), 0) as files,
      sum(count) as objects, sum(bytes) as bytes
    from (
      select bucket_id, folder, count(*) as count, sum(size) as bytes from gone group by bucket_id, folder
    ) direct, with_parents(direct.folder) above
    group by bucket_id, above.path, above.parent order by bucket_id, above.parent desc nulls last, above.path
  loop
    if emptied > 0 and (bucket, within) is distinct from (changed.bucket_id, changed.parent) then
      update folder set folders = folders - emptied where bucket_id = bucket and path = within;
      emptied := 0;
    end if;
    bucket := changed.bucket_id;
    within := changed.parent;
    update folder set files = files - changed.files, objects = objects - changed.objects, bytes = bytes - changed.bytes
      where bucket_id = changed.bucket_id and path = changed.path
      returning objects = 0 and parent is not null into is_empty;
    if is_empty then
      delete from folder where bucket_id = changed.bucket_id and path = changed.path;
      emptied := emptied + 1;
    end if;
  end loop;
  if emptied > 0 then
    update folder set folders = folders - emptied where bucket_id = bucket and path = within;
  end if;
  return null;
end $$;

create or replace trigger object_z2_changed after update on object
  referencing old table as gone new table as added for each statement execute function count_removed_files();
create or replace trigger object_z2_gone after delete on object
  referencing old table as gone for each statement execute function count_removed_files();
