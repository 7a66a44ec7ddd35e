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

-- A file of a bucket. The key is data, never a path: the bytes lie under blob_id in the object store.
create table object (
  project_id text not null,
  bucket_id text not null,
  key text collate "C" not null,
  blob_id text not null unique,
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

-- Blobs that no object needs any more; the sweeper removes them after a grace time, so that readers can finish.
create table blob_garbage (
  blob_id text primary key,
  since timestamptz not null
);
create index blob_garbage_since on blob_garbage (since);

-- However a row goes (delete, overwrite, a whole project), its blob becomes garbage in the same transaction.
create function object_blob_to_garbage() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.blob_id <> new.blob_id then
    insert into blob_garbage (blob_id, since) values (old.blob_id, now()) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger object_blob_to_garbage after update of blob_id or delete on object
  for each row execute function object_blob_to_garbage();
