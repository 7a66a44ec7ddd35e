-- A version of a plugin of the map viewer. What a version holds never changes, not even when it is deleted and comes again.
create table map_plugin (
  name text collate "C" not null,
  version text collate "C" not null,
  description text not null,
  -- semver range of the versions of the map viewer that it runs on
  map_version text not null,
  -- of all its files together
  size bigint not null,
  number_of_files integer not null,
  -- of the names and contents of its files
  sha256 bytea not null,
  created_at timestamptz not null,
  created_by text not null,
  deleted_at timestamptz,
  primary key (name, version)
);

create table map_plugin_file (
  name text collate "C" not null,
  version text collate "C" not null,
  -- below the folder of the plugin, as it is served
  path text collate "C" not null,
  blob_id text not null references blob,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  primary key (name, version, path),
  foreign key (name, version) references map_plugin on delete cascade
);
create index map_plugin_file_blob on map_plugin_file (blob_id);
create trigger map_plugin_file_deleted after delete on map_plugin_file
  referencing old table as gone for each statement execute function let_go_of_deleted();

-- Which version each `name@range` of its modules meant when the release was made.
alter table app_release add column plugins json not null default '{}';
