-- Marks the blobs that updated rows no longer name as unneeded.
create or replace function release_replaced_blobs() returns trigger language plpgsql as $$
begin
  update blob set unneeded_since = now()
    where unneeded_since is null and id in (select blob_id from gone except select blob_id from kept);
  return null;
end $$;

create or replace trigger job_output_replaced after update on job_output
  referencing old table as gone new table as kept for each statement execute function release_replaced_blobs();
