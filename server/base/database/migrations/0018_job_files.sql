-- A file that belongs to a job and to no bucket, such as what it could not use; it stays whatever the job's end is.
create table job_file (
  project_id text not null,
  job_id text not null,
  name text collate "C" not null,
  -- that sent it last: a file of an earlier one says nothing of what this one did
  attempt integer not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  primary key (job_id, name),
  foreign key (project_id, job_id) references job (project_id, id) on delete cascade
);
create index job_file_blob on job_file (blob_id);

-- Of a job in the trash.
create table trash_job_file (
  entry_id text not null references trash_entry on delete cascade,
  project_id text not null,
  job_id text not null,
  name text collate "C" not null,
  attempt integer not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  primary key (entry_id, job_id, name)
);
create index trash_job_file_blob on trash_job_file (blob_id);

create function job_file_gone() returns trigger language plpgsql as $$
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
create trigger job_file_deleted after delete on job_file
  referencing old table as gone for each statement execute function job_file_gone();

-- Back to its job, or for good.
create function trash_job_file_gone() returns trigger language plpgsql as $$
begin
  update blob b set unneeded_since = now() where unneeded_since is null and id in (select blob_id from gone)
    and not exists (select from job_file f where f.blob_id = b.id);
  return null;
end $$;
create trigger trash_job_file_deleted after delete on trash_job_file
  referencing old table as gone for each statement execute function trash_job_file_gone();

alter table kept_usage drop constraint kept_usage_kind_check;
alter table kept_usage add check (kind in ('revisions', 'trash', 'jobFiles'));
create trigger job_file_counted after insert on job_file
  referencing new table as added for each statement execute function count_kept('jobFiles');
create trigger job_file_uncounted after delete on job_file
  referencing old table as gone for each statement execute function count_kept_gone('jobFiles');
create trigger trash_job_file_counted after insert on trash_job_file
  referencing new table as added for each statement execute function count_kept('trash');
create trigger trash_job_file_uncounted after delete on trash_job_file
  referencing old table as gone for each statement execute function count_kept_gone('trash');

-- What an attempt has set aside counts no more as soon as the next one begins.
create function begin_anew() returns trigger language plpgsql as $$
begin
  new.rejected := 0;
  return new;
end $$;
create trigger job_begins_anew before update of attempt on job for each row
  when (old.rejected > 0 and new.attempt > old.attempt) execute function begin_anew();
