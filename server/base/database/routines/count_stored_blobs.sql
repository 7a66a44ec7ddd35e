-- Adds stored blobs to the usage of the project.
create or replace function count_stored_blobs() returns trigger language plpgsql as $$
begin
  insert into stored as s
    select project_id, pg_backend_pid() % 16, sum(size), count(*) from added group by project_id order by project_id
  on conflict (project_id, shard) do update set bytes = s.bytes + excluded.bytes, blobs = s.blobs + excluded.blobs;
  return null;
end $$;

create or replace trigger blob_stored after insert on blob
  referencing new table as added for each statement execute function count_stored_blobs();
