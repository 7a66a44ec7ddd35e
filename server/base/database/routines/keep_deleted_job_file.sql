-- Moves deleted files of jobs to the trash entry of the transaction. Without an entry their blobs become unneeded.
create or replace function keep_deleted_job_file() returns trigger language plpgsql as $$
declare
  entry text := trash_of_transaction();
begin
  if entry is null then
    update blob set unneeded_since = now() where unneeded_since is null and id in (select blob_id from gone);
    return null;
  end if;
  insert into trash_job_file (entry_id, project_id, job_id, name, attempt, blob_id, size, sha256, content_type, created_at)
    select entry, project_id, job_id, name, attempt, blob_id, size, sha256, content_type, created_at from gone;
  update trash_entry set bytes = bytes + (select coalesce(sum(size), 0) from gone) where id = entry;
  return null;
end $$;

create or replace trigger job_file_deleted after delete on job_file
  referencing old table as gone for each statement execute function keep_deleted_job_file();
