-- Marks the blobs of files of jobs that leave the trash for good as unneeded. A restored file returns to its job.
create or replace function release_trash_job_file() returns trigger language plpgsql as $$
begin
  update blob b set unneeded_since = now() where unneeded_since is null and id in (select blob_id from gone)
    and not exists (select from job_file f where f.blob_id = b.id);
  return null;
end $$;

create or replace trigger trash_job_file_deleted after delete on trash_job_file
  referencing old table as gone for each statement execute function release_trash_job_file();
