-- What an app showed at a moment, for good: its modules as they were then, and the revisions of their data.
create table app_release (
  id text primary key,
  project_id text not null,
  app_id text not null,
  -- 1, 2, 3 … of the app
  number integer not null,
  note text not null,
  name text not null,
  description text not null,
  map_version text not null,
  -- the one installed version that it was made for
  engine_version text not null,
  -- whole and in order, not compiled
  modules json not null,
  -- who made them: without getModule the user behind the app may read all of them only as the one author
  authors text[] not null,
  -- the module with the world base layer, which stands before them
  world json not null,
  warnings json not null,
  created_at timestamptz not null,
  created_by text not null,
  unique (app_id, number),
  unique (app_id, id),
  foreign key (project_id, app_id) references app (project_id, id) on delete cascade
);
create index app_release_project on app_release (project_id);

-- The data of a release. A datasource may be gone, and come back.
create table app_release_data (
  project_id text not null,
  app_id text not null,
  release_id text not null,
  datasource_id text not null,
  revision integer not null,
  -- who made the modules that name it: of one of them the user behind the app must be allowed to read modules
  authors text[] not null,
  -- where the app is public, the world may read it until a day after this: while the release is shown 'infinity'; null: it
  -- never was
  shown_until timestamptz,
  primary key (release_id, datasource_id),
  foreign key (app_id, release_id) references app_release (app_id, id) on delete cascade
);
create index app_release_data_pin on app_release_data (datasource_id, revision);
create index app_release_data_shown on app_release_data (datasource_id, shown_until) where shown_until is not null;

-- What the map viewer is sent of a release, compressed. Derived: what is missing is made again.
create table app_release_config (
  release_id text primary key references app_release on delete cascade,
  -- by which version of the compiler, and for which engine
  made_by text not null,
  etag text not null,
  -- before compression
  size integer not null,
  brotli bytea not null,
  gzip bytea not null,
  -- the foreign hosts that its layers name
  hosts text[] not null
);
alter table app_release_config alter column brotli set storage external, alter column gzip set storage external;

alter table app
  -- of the newest release there was
  add column last_release integer not null default 0,
  -- what is shown from public_from on: a release, or '' for what its modules are then; null: what is shown anyhow
  add column public_release_id text,
  -- who said so
  add column public_set_by text,
  add foreign key (id, release_id) references app_release (app_id, id) deferrable initially deferred;
create index app_public_from on app (public_from) where public_from is not null;
create index app_public_until on app (public_until) where public_until is not null;

create trigger app_release_gone after delete on app_release referencing old table as gone
  for each statement execute function row_gone();
create trigger app_release_data_gone after delete on app_release_data referencing old table as gone
  for each statement execute function row_gone();
create index trash_row_pins on trash_row (entry_id) where source in ('app_release_data', 'datasource_revision');

create function tell_release_created() returns trigger language plpgsql as $$
begin
  insert into project_change (project_id, type, action, resource_id, by)
    select project_id, 'release', 'created', id, created_by from added;
  return null;
end $$;
create trigger app_release_told_created after insert on app_release referencing new table as added
  for each statement execute function tell_release_created();
create trigger app_release_told_deleted after delete on app_release referencing old table as gone
  for each statement execute function tell_deleted('release');

-- The moment at which a file got the next content, so that it is known of each of them from when until when it was there,
-- also where one between two others is gone.
alter table object_revision add column until bigint;
update object_revision r set until = coalesce(
  (select n.moment from object_revision n where n.object_id = r.object_id and n.revision > r.revision
    order by n.revision limit 1),
  (select o.moment from object o where o.id = r.object_id),
  (select t.moment from trash_object t where t.id = r.object_id),
  r.moment);
alter table object_revision alter column until set not null;

create or replace function keep_replaced() returns trigger language plpgsql
  set enable_nestloop = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  insert into object_revision (project_id, object_id, revision, blob_id, size, sha256, content_type, moment, until,
      created_at, created_by, replaced_at, replaced_by)
    select gone.project_id, gone.id, gone.revision, gone.blob_id, gone.size, gone.sha256, gone.content_type, gone.moment,
      kept.moment, coalesce(gone.content_at, gone.created_at), coalesce(gone.content_by, gone.created_by),
      kept.content_at, kept.content_by
    from gone join kept on kept.id = gone.id and kept.revision > gone.revision;
  update blob set unneeded_since = now()
    where unneeded_since is null and id = any (array(
      select gone.blob_id from gone join kept on kept.id = gone.id
      where kept.revision = gone.revision and kept.blob_id <> gone.blob_id));
  return null;
end $$;

-- What a release pins, also one in the trash.
create view pinned_revision as
  select datasource_id, revision from app_release_data
  union
  select content ->> 'datasource_id', (content ->> 'revision')::integer from trash_row where source = 'app_release_data';

-- Where the files of pinned revisions lie that are no longer current, and up to which moment they are those.
create view pinned_place as
  select distinct r.bucket_id, r.bucket_key, r.served_folder, r.until
  from pinned_revision p join (
    select datasource_id, revision, bucket_id, bucket_key, served_folder, until from datasource_revision
    union all
    select content ->> 'datasource_id', (content ->> 'revision')::integer, content ->> 'bucket_id',
      (content ->> 'bucket_key') collate "C", (content ->> 'served_folder') collate "C", (content ->> 'until')::bigint
      from trash_row where source = 'datasource_revision'
  ) r on r.datasource_id = p.datasource_id and r.revision = p.revision
  where r.until is not null and r.bucket_id is not null;

-- No upload becomes part of a revision that a release pins.
create or replace function effect_of_overwriting(wanted text, at timestamptz) returns text language sql stable as $$
  select case
    when r.moment >= current_moment() then null
    when r.cause <> 'files' or d.data_updated_at < at - interval '5 minutes' or exists (
      select from app_release_data p where p.datasource_id = d.id and p.revision = d.data_revision) then 'new'
    when d.data_updated_at < at - interval '10 seconds' then 'touch'
  end
  from datasource d join datasource_revision r on r.datasource_id = d.id and r.revision = d.data_revision
  where d.id = wanted
$$;

-- Nor does a file that is new among its files: adding makes a revision where the current one is pinned.
create function note_added() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  this bigint := current_moment();
  served record;
begin
  if not exists (select from datasource d where d.bucket_id = any (array(select distinct bucket_id from added))) then
    return null;
  end if;
  for served in
    with fresh as materialized (
      -- what comes back from the trash has the moment that it had
      select bucket_id, folder, key, created_at, created_by from added where moment >= this
    ), folders as materialized (
      select bucket_id, folder, max(created_at) as at, max(created_by) as who from fresh group by 1, 2
    ), touched as (
      select d.id, d.data_revision, f.at, f.who from folders f cross join unnest(places_of(f.folder)) as place
        join datasource d on d.bucket_id = f.bucket_id and d.served_folder = place
      union all
      select d.id, d.data_revision, f.created_at, f.created_by from fresh f
        join datasource d on d.bucket_id = f.bucket_id and d.bucket_key = f.key
    )
    select t.id, max(t.at) as at, max(t.who) as who from touched t
    where exists (select from app_release_data p where p.datasource_id = t.id and p.revision = t.data_revision)
    group by t.id order by t.id
  loop
    perform lock_for_overwriting(served.id, served.at);
    if effect_of_overwriting(served.id, served.at) = 'new' then
      perform add_datasource_revision(served.id, 'files', null, served.at, served.who);
      update datasource set revision = revision + 1 where id = served.id;
    end if;
  end loop;
  return null;
end $$;
create trigger object_served_added after insert on object
  referencing new table as added for each statement execute function note_added();
