-- Adds new files to the counts of their folders, and creates folders that are new.
-- It loops over folders because PL/pgSQL keeps query plans for a session: a join planned for one file would be reused
-- for a million. Rows are ordered by parent, so that the row of a parent is written once for all of its new folders.
create or replace function count_added_files() returns trigger language plpgsql as $$
declare
  changed record;
  is_new boolean;
  bucket text;
  within text;
  fresh integer := 0;
begin
  perform from folder where path = '' and bucket_id = any (array(select distinct bucket_id from added))
    order by bucket_id for update;
  for changed in
    select bucket_id, above.path, above.parent, coalesce(sum(count) filter (where above.path = folder), 0) as files,
      sum(count) as objects, sum(bytes) as bytes, min(oldest) as oldest, max(newest) as newest
    from (
      select bucket_id, folder, count(*) as count, sum(size) as bytes, min(created_at) as oldest, max(updated_at) as newest
      from added group by bucket_id, folder
    ) direct, with_parents(direct.folder) above
    group by bucket_id, above.path, above.parent order by bucket_id, above.parent nulls first, above.path
  loop
    if fresh > 0 and (bucket, within) is distinct from (changed.bucket_id, changed.parent) then
      update folder set folders = folders + fresh where bucket_id = bucket and path = within;
      fresh := 0;
    end if;
    bucket := changed.bucket_id;
    within := changed.parent;
    insert into folder as f values (changed.bucket_id, changed.path, changed.parent, changed.files, 0,
      changed.objects, changed.bytes, changed.oldest, changed.newest)
    on conflict (bucket_id, path) do update set files = f.files + excluded.files,
      objects = f.objects + excluded.objects, bytes = f.bytes + excluded.bytes,
      created_at = least(f.created_at, excluded.created_at), updated_at = greatest(f.updated_at, excluded.updated_at)
    returning xmax = 0 into is_new;
    if is_new then
      fresh := fresh + 1;
    end if;
  end loop;
  if fresh > 0 then
    update folder set folders = folders + fresh where bucket_id = bucket and path = within;
  end if;
  return null;
end $$;

create or replace trigger object_z1_added after insert on object
  referencing new table as added for each statement execute function count_added_files();
create or replace trigger object_z1_changed after update on object
  referencing old table as gone new table as added for each statement execute function count_added_files();
