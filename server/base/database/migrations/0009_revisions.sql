-- A clock that counts the transactions which change content: unlike the time of day it never goes back, and all that one
-- transaction changes has the same moment.
create sequence content_moment;
create function current_moment() returns bigint language plpgsql as $$
declare
  moment text := current_setting('platen.moment', true);
begin
  if coalesce(moment, '') = '' then
    moment := set_config('platen.moment', nextval('content_moment')::text, true);
  end if;
  return moment::bigint;
end $$;

alter table object
  -- counts the contents that the file has had
  add column revision integer not null default 1,
  -- of the transaction that wrote the content
  add column moment bigint not null default current_moment(),
  -- when and by whom the content was written; null: with the file itself
  add column content_at timestamptz,
  add column content_by text;

-- What a file held before: written whenever its content changes, in whichever way. It follows the id of the file: through
-- moves, into the trash and back.
create table object_revision (
  project_id text not null references project on delete cascade,
  object_id text not null,
  revision integer not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  moment bigint not null,
  created_at timestamptz not null,
  created_by text not null,
  replaced_at timestamptz not null,
  replaced_by text not null,
  primary key (object_id, revision)
);
create index object_revision_blob on object_revision (blob_id);
create index object_revision_project on object_revision (project_id);
create index object_revision_replaced on object_revision (replaced_at);

create function count_content() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  -- whoever waited for the lock of the row comes later, also where its transaction began earlier
  new.moment := greatest(current_moment(), old.moment + 1);
  new.content_at := new.updated_at;
  new.content_by := new.updated_by;
  return new;
end $$;
create trigger object_content before update on object for each row
  when (old.sha256 <> new.sha256 or old.size <> new.size) execute function count_content();

-- A blob that was replaced is kept by a revision, unless the content is the same in another blob. Plans are kept for a
-- session: made for one file they must do for a million, so the two tables are hashed and blobs found by their index.
create function keep_replaced() returns trigger language plpgsql
  set enable_nestloop = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  insert into object_revision (project_id, object_id, revision, blob_id, size, sha256, content_type, moment,
      created_at, created_by, replaced_at, replaced_by)
    select gone.project_id, gone.id, gone.revision, gone.blob_id, gone.size, gone.sha256, gone.content_type, gone.moment,
      coalesce(gone.content_at, gone.created_at), coalesce(gone.content_by, gone.created_by),
      kept.content_at, kept.content_by
    from gone join kept on kept.id = gone.id and kept.revision > gone.revision;
  update blob set unneeded_since = now()
    where unneeded_since is null and id = any (array(
      select gone.blob_id from gone join kept on kept.id = gone.id
      where kept.revision = gone.revision and kept.blob_id <> gone.blob_id));
  return null;
end $$;
drop trigger object_replaced on object;
create trigger object_replaced after update on object
  referencing old table as gone new table as kept for each statement execute function keep_replaced();
create trigger object_revision_deleted after delete on object_revision
  referencing old table as gone for each statement execute function let_go_of_deleted();

-- What a datasource served before, and the last row of each what it serves now.
create table datasource_revision (
  project_id text not null,
  datasource_id text not null,
  revision integer not null,
  -- what made it: 'created', 'changed' by a PUT, 'job', 'files' (overwritten in place), 'restored'
  cause text not null,
  type text not null,
  type_properties json not null,
  source_properties json not null,
  bucket_id text,
  bucket_key text collate "C",
  served_folder text collate "C",
  -- of the file, under which it is still served
  former_names text[] not null,
  bbox double precision[],
  properties json not null,
  job_id text,
  -- it is what was served from this moment on, and before that one; null: still
  moment bigint not null,
  until bigint,
  created_at timestamptz not null,
  created_by text not null,
  replaced_at timestamptz,
  primary key (datasource_id, revision),
  foreign key (project_id, datasource_id) references datasource (project_id, id) on delete cascade
);
create index datasource_revision_replaced on datasource_revision (replaced_at) where replaced_at is not null;
create index datasource_revision_place on datasource_revision (bucket_id, bucket_key);

alter table datasource add column data_revision integer not null default 1;
create index datasource_folder on datasource (bucket_id, served_folder) where served_folder is not null;
create index datasource_jobs on datasource using gin (job_ids);

-- The folders that a key lies in, each with its /, and the key itself.
create function places_of(key text) returns text[] language sql immutable as $$
  select array_agg(array_to_string(names[:depth], '/') || case when depth < cardinality(names) then '/' else '' end)
  from (select string_to_array(key, '/') as names) split, generate_series(1, cardinality(names)) depth
$$;

-- The datasource stays locked until the transaction ends, so that only one changes its data at a time.
create function add_datasource_revision(wanted text, why text, job text, at timestamptz, who text) returns void
language plpgsql as $$
declare
  before datasource_revision;
  this bigint;
begin
  select * into before from datasource_revision where datasource_id = wanted order by revision desc limit 1;
  this := greatest(current_moment(), before.moment + 1);
  if before.moment = current_moment() then
    -- the same transaction has changed its files, and now says why
    delete from datasource_revision where datasource_id = wanted and revision = before.revision;
    this := before.moment;
  else
    update datasource_revision set until = this, replaced_at = at
      where datasource_id = wanted and revision = before.revision;
    before.revision := coalesce(before.revision, 0) + 1;
  end if;
  insert into datasource_revision (project_id, datasource_id, revision, cause, type, type_properties, source_properties,
      bucket_id, bucket_key, served_folder, former_names, bbox, properties, job_id, moment, created_at, created_by)
    select project_id, id, before.revision, why, type, type_properties, source_properties,
      bucket_id, bucket_key, served_folder, former_names, bbox, properties, job, this, at, who
    from datasource where id = wanted;
  update datasource set data_revision = before.revision, data_updated_at = at, data_updated_by = who where id = wanted;
end $$;

-- What an upload at this time means for the revisions of a datasource: 'new', 'touch', or nothing.
create function effect_of_overwriting(wanted text, at timestamptz) returns text language sql stable as $$
  select case
    when r.moment >= current_moment() then null
    when r.cause <> 'files' or d.data_updated_at < at - interval '5 minutes' then 'new'
    when d.data_updated_at < at - interval '10 seconds' then 'touch'
  end
  from datasource d join datasource_revision r on r.datasource_id = d.id and r.revision = d.data_revision
  where d.id = wanted
$$;

-- So that whoever overwrites files waits for whoever changes the whole, but not for others who overwrite, unless what
-- they do changes the datasource. Taken before the lock of the file, it cannot become a deadlock with a job.
create function lock_for_overwriting(wanted text, at timestamptz) returns void language plpgsql as $$
begin
  if effect_of_overwriting(wanted, at) is null then
    perform from datasource where id = wanted for share skip locked;
    if found then return; end if;
    -- whoever has it may be making a revision: after that each of those who wait may have to make the next
  end if;
  perform from datasource where id = wanted for no key update;
end $$;

-- Files that a datasource serves were overwritten: that is a revision of its data, one for all uploads within five minutes
-- of each other, told anew every ten seconds.
create function note_overwritten() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  this bigint := current_moment();
  served record;
  effect text;
begin
  if not exists (select from datasource d where d.bucket_id = any (array(select distinct bucket_id from kept))) then
    return null;
  end if;
  for served in
    with changed as materialized (
      select bucket_id, key, content_at, content_by from kept where moment >= this
    ), folders as (
      select bucket_id, left(key, length(key) - strpos(reverse(key) || '/', '/') + 1) as folder,
        max(content_at) as at, max(content_by) as who
      from changed group by 1, 2
    ), touched as (
      select d.id, f.at, f.who from folders f cross join unnest(places_of(f.folder)) as place
        join datasource d on d.bucket_id = f.bucket_id and d.served_folder = place
      union all
      select d.id, c.content_at, c.content_by from changed c
        join datasource d on d.bucket_id = c.bucket_id and d.bucket_key = c.key
    )
    select id, max(at) as at, max(who) as who from touched group by id order by id
  loop
    perform lock_for_overwriting(served.id, served.at);
    effect := effect_of_overwriting(served.id, served.at);
    if effect = 'new' then
      perform add_datasource_revision(served.id, 'files', null, served.at, served.who);
      update datasource set revision = revision + 1 where id = served.id;
    elsif effect = 'touch' then
      update datasource set data_updated_at = served.at, data_updated_by = served.who, revision = revision + 1
        where id = served.id;
    end if;
  end loop;
  return null;
end $$;
create trigger object_served after update on object
  referencing old table as gone new table as kept for each statement execute function note_overwritten();

-- How much is kept of what is no longer current, for quotas: one row for each project and kind.
create table kept_usage (
  project_id text not null references project on delete cascade,
  kind text not null check (kind in ('revisions', 'trash')),
  objects bigint not null,
  bytes bigint not null,
  primary key (project_id, kind)
);
create function count_kept() returns trigger language plpgsql as $$
begin
  insert into kept_usage as k (project_id, kind, objects, bytes)
    select project_id, tg_argv[0], count(*), sum(size) from added group by project_id order by project_id
  on conflict (project_id, kind) do update set objects = k.objects + excluded.objects, bytes = k.bytes + excluded.bytes;
  return null;
end $$;
create function count_kept_gone() returns trigger language plpgsql as $$
begin
  update kept_usage k set objects = k.objects - g.objects, bytes = k.bytes - g.bytes
    from (select project_id, count(*) as objects, sum(size) as bytes from gone group by project_id) g
    where k.project_id = g.project_id and k.kind = tg_argv[0];
  return null;
end $$;
create trigger object_revision_counted after insert on object_revision
  referencing new table as added for each statement execute function count_kept('revisions');
create trigger object_revision_uncounted after delete on object_revision
  referencing old table as gone for each statement execute function count_kept_gone('revisions');
