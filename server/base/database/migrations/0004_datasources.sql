create table datasource (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  type text not null,
  type_properties json not null,
  source_properties json not null,
  -- where the data lies, for an internal source; the key may name a file or a folder
  bucket_id text,
  bucket_key text collate "C",
  -- of a datasource that is more than one file: what all keys it serves start with, ending in /
  served_folder text collate "C",
  bbox double precision[],
  properties json not null,
  job_ids text[] not null default '{}',
  publish_task_ids text[] not null default '{}',
  data_updated_at timestamptz not null,
  data_updated_by text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id),
  foreign key (project_id, bucket_id) references data_bucket (project_id, id)
);
create index datasource_created_at on datasource (project_id, created_at, id);
create index datasource_bucket on datasource (bucket_id, bucket_key);
