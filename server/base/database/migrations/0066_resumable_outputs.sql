-- Large outputs of jobs arrive as resumable uploads do. They belong to an attempt instead of to a user and a bucket.
alter table upload
  alter column bucket_id drop not null,
  alter column user_id drop not null,
  add column job_id text references job (id) on delete cascade,
  add column attempt integer,
  add constraint upload_owner check ((job_id is null) = (bucket_id is not null and user_id is not null)
    and (job_id is null) = (attempt is null));
create unique index upload_job on upload (job_id, attempt, key) where job_id is not null;
