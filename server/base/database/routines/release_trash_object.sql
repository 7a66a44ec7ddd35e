-- Marks the blobs of files that leave the trash for good as unneeded. A restored file keeps its blob and its id.
create or replace function release_trash_object() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from object_revision r using gone
    where r.object_id = gone.id and not exists (select from object o where o.id = gone.id);
  update blob set unneeded_since = now()
    where unneeded_since is null and id in (
      select blob_id from gone where not exists (select from object o where o.id = gone.id));
  return null;
end $$;

create or replace trigger trash_object_deleted after delete on trash_object
  referencing old table as gone for each statement execute function release_trash_object();
