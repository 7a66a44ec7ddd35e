-- null: as the service is set up
alter table project add column quota_bytes bigint;
alter table project add column quota_objects bigint;

-- What is set aside of a quota for files that are on their way in, so that two do not both get the last of it.
create table reservation (
  -- of the upload, of the job, or of one request
  id text primary key,
  project_id text not null references project on delete cascade,
  -- null: a job's, which chooses at its end
  bucket_id text,
  bytes bigint not null,
  objects bigint not null,
  -- go with what they are for
  upload_id text references upload on delete cascade,
  job_id text references job on delete cascade,
  -- a request renews its own while it runs
  expires_at timestamptz not null
);
create index reservation_project on reservation (project_id);
create index reservation_upload on reservation (upload_id) where upload_id is not null;
create index reservation_job on reservation (job_id) where job_id is not null;

-- How much of a project is stored, equal bytes once. Several rows for each, of which a connection takes one, so that
-- uploads at the same time do not wait for each other.
create table stored (
  project_id text not null,
  shard integer not null,
  bytes bigint not null,
  blobs bigint not null,
  primary key (project_id, shard)
);
create function count_stored() returns trigger language plpgsql as $$
begin
  insert into stored as s
    select project_id, pg_backend_pid() % 16, sum(size), count(*) from added group by project_id order by project_id
  on conflict (project_id, shard) do update set bytes = s.bytes + excluded.bytes, blobs = s.blobs + excluded.blobs;
  return null;
end $$;
create function count_removed() returns trigger language plpgsql as $$
begin
  insert into stored as s
    select project_id, pg_backend_pid() % 16, -sum(size), -count(*) from gone group by project_id order by project_id
  on conflict (project_id, shard) do update set bytes = s.bytes + excluded.bytes, blobs = s.blobs + excluded.blobs;
  return null;
end $$;
create trigger blob_stored after insert on blob
  referencing new table as added for each statement execute function count_stored();
create trigger blob_removed after delete on blob
  referencing old table as gone for each statement execute function count_removed();
insert into stored select project_id, 0, sum(size), count(*) from blob group by project_id;
