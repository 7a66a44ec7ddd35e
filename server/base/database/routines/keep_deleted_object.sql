-- Moves deleted files, with their revisions, to the trash entry of the transaction. Without an entry their blobs
-- become unneeded.
create or replace function keep_deleted_object() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  entry text := trash_of_transaction();
begin
  if entry is not null then
    insert into trash_object (entry_id, project_id, bucket_id, key, id, blob_id, size, sha256, content_type, revision,
        moment, content_at, content_by, created_at, created_by, updated_at, updated_by)
      select entry, project_id, bucket_id, key, id, blob_id, size, sha256, content_type, revision,
        moment, content_at, content_by, created_at, created_by, updated_at, updated_by from gone;
    update trash_entry e set objects = e.objects + g.objects, bytes = e.bytes + g.bytes
      from (select count(*) as objects, coalesce(sum(size), 0) as bytes from gone) g where e.id = entry;
  else
    delete from object_revision r using gone where r.object_id = gone.id;
    update blob set unneeded_since = now()
      where unneeded_since is null and id in (select blob_id from gone);
  end if;
  return null;
end $$;

create or replace trigger object_deleted after delete on object
  referencing old table as gone for each statement execute function keep_deleted_object();
