-- Marks the blobs of deleted rows as unneeded, in the same transaction, whatever deleted the rows. Blobs of files stay
-- as they are: the outputs of a job become files just before their rows are deleted.
-- The clean-up removes blobs an hour after they became unneeded, unless a row has come to need them.
create or replace function release_deleted_blobs() returns trigger language plpgsql as $$
begin
  update blob set unneeded_since = now()
    where unneeded_since is null and id in (select blob_id from gone)
      and not exists (select from object o where o.blob_id = blob.id);
  return null;
end $$;

create or replace trigger job_output_deleted after delete on job_output
  referencing old table as gone for each statement execute function release_deleted_blobs();
create or replace trigger object_revision_deleted after delete on object_revision
  referencing old table as gone for each statement execute function release_deleted_blobs();
create or replace trigger map_plugin_file_deleted after delete on map_plugin_file
  referencing old table as gone for each statement execute function release_deleted_blobs();
