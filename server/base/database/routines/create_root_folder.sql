-- Creates the root folder of a new bucket. It lasts as long as the bucket, and counting locks it first, so that
-- two transactions cannot both count the same new folder.
create or replace function create_root_folder() returns trigger language plpgsql as $$
begin
  insert into folder values (new.id, '', null, 0, 0, 0, 0, new.created_at, new.updated_at);
  return null;
end $$;

create or replace trigger data_bucket_root after insert on data_bucket for each row execute function create_root_folder();
