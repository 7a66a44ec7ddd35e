-- One thing that somebody deleted. It can be restored until the clean-up, or somebody, empties it.
create table trash_entry (
  id text primary key,
  project_id text not null references project on delete cascade,
  type text not null check (type in ('object', 'folder', 'data-bucket', 'datasource', 'module', 'app', 'task')),
  -- of what was deleted; null for a folder
  resource_id text,
  -- the key of a file or folder
  name text not null,
  -- of files, and of the data bucket itself
  bucket_id text,
  -- whoever may delete what they made may also restore it: of files, who made the data bucket
  owner_id text not null,
  job_type text,
  objects bigint not null default 0,
  bytes bigint not null default 0,
  deleted_at timestamptz not null,
  deleted_by text not null,
  -- nobody sees it any more, and what it holds is being removed
  is_emptied boolean not null default false
);
create index trash_entry_project on trash_entry (project_id, deleted_at, id);
create index trash_entry_deleted_at on trash_entry (deleted_at);

-- The rows of a deleted resource as they were, with those that went with it.
create table trash_row (
  entry_id text not null references trash_entry on delete cascade,
  position bigint generated always as identity,
  source text not null,
  content json not null,
  primary key (entry_id, position)
);

-- A deleted file. Its revisions stay where they are, under its id.
create table trash_object (
  entry_id text not null references trash_entry on delete cascade,
  project_id text not null,
  bucket_id text not null,
  key text collate "C" not null,
  id text not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  revision integer not null,
  moment bigint not null,
  content_at timestamptz,
  content_by text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (entry_id, key),
  unique (id)
);
create index trash_object_blob on trash_object (blob_id);

-- While a transaction names an entry of the trash, all that it deletes goes there, in whatever way it is deleted.
create function trash_of_transaction() returns text language sql stable as $$
  select nullif(current_setting('platen.trash', true), '')
$$;

create function object_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  entry text := trash_of_transaction();
begin
  if entry is not null then
    insert into trash_object (entry_id, project_id, bucket_id, key, id, blob_id, size, sha256, content_type, revision,
        moment, content_at, content_by, created_at, created_by, updated_at, updated_by)
      select entry, project_id, bucket_id, key, id, blob_id, size, sha256, content_type, revision,
        moment, content_at, content_by, created_at, created_by, updated_at, updated_by from gone;
    update trash_entry e set objects = e.objects + g.objects, bytes = e.bytes + g.bytes
      from (select count(*) as objects, coalesce(sum(size), 0) as bytes from gone) g where e.id = entry;
  else
    delete from object_revision r using gone where r.object_id = gone.id;
    update blob set unneeded_since = now()
      where unneeded_since is null and id in (select blob_id from gone);
  end if;
  return null;
end $$;
drop trigger object_deleted on object;
create trigger object_deleted after delete on object
  referencing old table as gone for each statement execute function object_gone();

-- Out of the trash a file goes back to its bucket, with its id, or for good.
create function trash_object_gone() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from object_revision r using gone
    where r.object_id = gone.id and not exists (select from object o where o.id = gone.id);
  update blob set unneeded_since = now()
    where unneeded_since is null and id in (
      select blob_id from gone where not exists (select from object o where o.id = gone.id));
  return null;
end $$;
create trigger trash_object_deleted after delete on trash_object
  referencing old table as gone for each statement execute function trash_object_gone();
create trigger trash_object_counted after insert on trash_object
  referencing new table as added for each statement execute function count_kept('trash');
create trigger trash_object_uncounted after delete on trash_object
  referencing old table as gone for each statement execute function count_kept_gone('trash');

-- What the parameters of a task name, derived when the task is written. What it names may be gone, and come back.
create table task_reference (
  project_id text not null,
  task_id text not null,
  -- what it reads, where it puts its files, the datasource that it changes
  role text not null check (role in ('input', 'output', 'target')),
  bucket_id text,
  -- a file, or a folder, without a trailing /; null for the whole bucket
  bucket_key text collate "C",
  datasource_id text,
  foreign key (project_id, task_id) references task (project_id, id) on delete cascade
);
create index task_reference_task on task_reference (task_id);
create index task_reference_place on task_reference (bucket_id, bucket_key) where bucket_id is not null;
create index task_reference_datasource on task_reference (datasource_id) where datasource_id is not null;

create function row_gone() returns trigger language plpgsql as $$
declare
  entry text := trash_of_transaction();
begin
  if entry is not null then
    insert into trash_row (entry_id, source, content) select entry, tg_table_name, row_to_json(gone) from gone;
  end if;
  return null;
end $$;

do $$
declare
  source text;
begin
  foreach source in array array['data_bucket', 'datasource', 'datasource_revision', 'module', 'module_datasource',
      'app', 'app_module', 'app_guest', 'task', 'task_reference', 'job', 'job_log'] loop
    execute format('create trigger %I after delete on %I referencing old table as gone
      for each statement execute function row_gone()', source || '_gone', source);
  end loop;
end $$;

-- Puts the rows of one table back: columns that have come since get their defaults, those that have gone are left out.
create function put_back(entry text, wanted text) returns void language plpgsql as $$
declare
  columns text;
  values text;
begin
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg('p.' || quote_ident(a.attname), ', ' order by a.attnum) into columns, values
  from pg_attribute a, (select content from trash_row where entry_id = entry and source = wanted limit 1) first
  where a.attrelid = wanted::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and first.content -> a.attname is not null;
  if columns is null then return; end if;
  execute format('insert into %1$I (%2$s) select %3$s from trash_row r, json_populate_record(null::%1$I, r.content) p
    where r.entry_id = $1 and r.source = $2 order by r.position', wanted, columns, values)
    using entry, wanted;
end $$;

-- Of a datasource whose bucket is deleted by force: its files are gone with the bucket, and come back with it.
alter table datasource drop constraint datasource_project_id_bucket_id_fkey;
alter table datasource add constraint datasource_bucket_of_project foreign key (project_id, bucket_id)
  references data_bucket (project_id, id) on delete set null (bucket_id) deferrable;
create index datasource_source_bucket on datasource (project_id, (source_properties ->> 'dataBucketId'));
