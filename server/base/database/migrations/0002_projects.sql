create table project (
  id text primary key,
  name text not null,
  description text not null,
  bbox double precision[] not null check (array_length(bbox, 1) = 4),
  properties json not null,
  default_data_bucket_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
create index project_created_at on project (created_at, id);

create table membership (
  project_id text not null references project on delete cascade,
  user_id text not null references user_account on delete cascade,
  role_id text not null references role,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (project_id, user_id)
);
create index membership_user on membership (user_id);
