-- What the key of a file has up to its last /, with it: the folder that the file lies in directly.
alter table object add column folder text collate "C" not null
  generated always as (left(key, length(key) - strpos(reverse(key) || '/', '/') + 1)) stored;
create index object_folder on object (bucket_id, folder, key);

-- The orders of a list, and the ends of keys in any case. Each holds the key, so that deep pages are found in the index alone.
create index object_size on object (bucket_id, size, key);
create index object_created_at on object (bucket_id, created_at, key);
create index object_updated_at on object (bucket_id, updated_at, key);
create index object_ending on object (bucket_id, reverse(lower(key)), key);

-- What lies in a folder: the root of a bucket has the path '', any other ends in / and is there as long as a file lies
-- in it or below. Kept by triggers on object, so that no list and no count walks through the files of a folder.
create table folder (
  bucket_id text not null references data_bucket on delete cascade,
  path text collate "C" not null,
  -- null for the root
  parent text collate "C",
  -- directly in it
  files bigint not null,
  folders bigint not null,
  -- at any depth
  objects bigint not null,
  bytes bigint not null,
  -- of the oldest, and the newest change, of all that came into it
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (bucket_id, path)
);
create index folder_parent on folder (bucket_id, parent, path);

-- The root is there as long as the bucket: whoever counts locks it first, so that nobody counts a folder of others as new.
create function make_root() returns trigger language plpgsql as $$
begin
  insert into folder values (new.id, '', null, 0, 0, 0, 0, new.created_at, new.updated_at);
  return null;
end $$;
create trigger data_bucket_root after insert on data_bucket for each row execute function make_root();
insert into folder select id, '', null, 0, 0, 0, 0, created_at, updated_at from data_bucket;

-- The folder itself and all above it.
create function with_parents(folder text) returns table (path text, parent text) language sql immutable as $$
  select array_to_string(names[:depth], '/') || case when depth > 0 then '/' else '' end,
    case when depth > 1 then array_to_string(names[:depth - 1], '/') || '/' when depth = 1 then '' end
  from (select string_to_array(rtrim(folder, '/'), '/') as names) split,
    generate_series(0, cardinality(names)) depth
$$;

-- Folder by folder, because plans are kept for a session: a join that was planned for one file would be run for a million.
-- Those of one parent come together, so that its row is written once for all of them, and parents come before.
create function count_added() returns trigger language plpgsql as $$
declare
  changed record;
  is_new boolean;
  bucket text;
  within text;
  fresh integer := 0;
begin
  perform from folder where path = '' and bucket_id = any (array(select distinct bucket_id from added))
    order by bucket_id for update;
  for changed in
    select bucket_id, above.path, above.parent, coalesce(sum(count) filter (where above.path = folder), 0) as files,
      sum(count) as objects, sum(bytes) as bytes, min(oldest) as oldest, max(newest) as newest
    from (
      select bucket_id, folder, count(*) as count, sum(size) as bytes, min(created_at) as oldest, max(updated_at) as newest
      from added group by bucket_id, folder
    ) direct, with_parents(direct.folder) above
    group by bucket_id, above.path, above.parent order by bucket_id, above.parent nulls first, above.path
  loop
    if fresh > 0 and (bucket, within) is distinct from (changed.bucket_id, changed.parent) then
      update folder set folders = folders + fresh where bucket_id = bucket and path = within;
      fresh := 0;
    end if;
    bucket := changed.bucket_id;
    within := changed.parent;
    insert into folder as f values (changed.bucket_id, changed.path, changed.parent, changed.files, 0,
      changed.objects, changed.bytes, changed.oldest, changed.newest)
    on conflict (bucket_id, path) do update set files = f.files + excluded.files,
      objects = f.objects + excluded.objects, bytes = f.bytes + excluded.bytes,
      created_at = least(f.created_at, excluded.created_at), updated_at = greatest(f.updated_at, excluded.updated_at)
    returning xmax = 0 into is_new;
    if is_new then
      fresh := fresh + 1;
    end if;
  end loop;
  if fresh > 0 then
    update folder set folders = folders + fresh where bucket_id = bucket and path = within;
  end if;
  return null;
end $$;

-- The deepest first: a folder that is left empty goes, and its parent has fewer folders.
create function count_gone() returns trigger language plpgsql as $$
declare
  changed record;
  is_empty boolean;
  bucket text;
  within text;
  emptied integer := 0;
begin
  perform from folder where path = '' and bucket_id = any (array(select distinct bucket_id from gone))
    order by bucket_id for update;
  for changed in
    select bucket_id, above.path, above.parent, coalesce(sum(count) filter (where above.path = folder), 0) as files,
      sum(count) as objects, sum(bytes) as bytes
    from (
      select bucket_id, folder, count(*) as count, sum(size) as bytes from gone group by bucket_id, folder
    ) direct, with_parents(direct.folder) above
    group by bucket_id, above.path, above.parent order by bucket_id, above.parent desc nulls last, above.path
  loop
    if emptied > 0 and (bucket, within) is distinct from (changed.bucket_id, changed.parent) then
      update folder set folders = folders - emptied where bucket_id = bucket and path = within;
      emptied := 0;
    end if;
    bucket := changed.bucket_id;
    within := changed.parent;
    update folder set files = files - changed.files, objects = objects - changed.objects, bytes = bytes - changed.bytes
      where bucket_id = changed.bucket_id and path = changed.path
      returning objects = 0 and parent is not null into is_empty;
    if is_empty then
      delete from folder where bucket_id = changed.bucket_id and path = changed.path;
      emptied := emptied + 1;
    end if;
  end loop;
  if emptied > 0 then
    update folder set folders = folders - emptied where bucket_id = bucket and path = within;
  end if;
  return null;
end $$;

-- Triggers fire in the order of their names: these last, so that the lock of the root is held for the shortest time.
create trigger object_z1_added after insert on object
  referencing new table as added for each statement execute function count_added();
create trigger object_z1_changed after update on object
  referencing old table as gone new table as added for each statement execute function count_added();
create trigger object_z2_changed after update on object
  referencing old table as gone new table as added for each statement execute function count_gone();
create trigger object_z2_gone after delete on object
  referencing old table as gone for each statement execute function count_gone();

-- Names that the single file of a datasource had before it was renamed: addresses with them stay good.
alter table datasource add column former_names text[] not null default '{}';
