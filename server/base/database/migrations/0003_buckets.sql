create table data_bucket (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  properties json not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id)
);
create index data_bucket_created_at on data_bucket (project_id, created_at, id);
alter table project add foreign key (id, default_data_bucket_id) references data_bucket (project_id, id)
  deferrable initially deferred;

-- Bytes in the object store, which lie there under the id. Equal bytes are kept once in a project, so several may need one.
create table blob (
  id text primary key,
  project_id text not null,
  size bigint not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  -- somebody has let go of it: the sweeper removes it after a grace time, unless somebody needs it by then
  unneeded_since timestamptz
);
create index blob_content on blob (project_id, sha256);
create index blob_unneeded on blob (unneeded_since) where unneeded_since is not null;

-- A file of a bucket. The key is data, never a path; the id stays when the file is moved or gets new content.
create table object (
  project_id text not null,
  bucket_id text not null,
  key text collate "C" not null,
  id text not null unique default replace(gen_random_uuid()::text, '-', ''),
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (bucket_id, key),
  foreign key (project_id, bucket_id) references data_bucket (project_id, id) on delete cascade
);
create index object_project on object (project_id);
create index object_blob on object (blob_id);

-- However a row lets go of its blob (delete, overwrite, a whole project), it is noted in the same transaction.
create function let_go_of_deleted() returns trigger language plpgsql as $$
begin
  update blob set unneeded_since = now()
    where unneeded_since is null and id in (select blob_id from gone);
  return null;
end $$;
create function let_go_of_replaced() returns trigger language plpgsql as $$
begin
  update blob set unneeded_since = now()
    where unneeded_since is null and id in (select blob_id from gone except select blob_id from kept);
  return null;
end $$;
create trigger object_deleted after delete on object
  referencing old table as gone for each statement execute function let_go_of_deleted();
create trigger object_replaced after update on object
  referencing old table as gone new table as kept for each statement execute function let_go_of_replaced();
