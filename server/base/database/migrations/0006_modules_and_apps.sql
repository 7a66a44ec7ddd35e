create table module (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  -- the map configuration as it came: layers, maps, styles, viewpoints, contentTree, …
  content json not null,
  properties json not null,
  -- with whose permissions the data is read; the creator unless MemberId was given
  member_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id)
);
create index module_created_at on module (project_id, created_at, id);

-- Which datasources a module's JSON names; derived when the module is written.
create table module_datasource (
  project_id text not null,
  module_id text not null,
  datasource_id text not null,
  primary key (module_id, datasource_id),
  foreign key (project_id, module_id) references module (project_id, id) on delete cascade,
  -- deferred, so that a project can go with everything in it, in whatever order
  foreign key (project_id, datasource_id) references datasource (project_id, id) deferrable initially deferred
);
create index module_datasource_datasource on module_datasource (datasource_id);

create table app (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  map_version text not null,
  properties json not null,
  publish_task_ids text[] not null default '{}',
  is_public boolean not null default false,
  -- with whose permissions the app reads; checked live
  member_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id)
);
create index app_created_at on app (project_id, created_at, id);

create table app_module (
  project_id text not null,
  app_id text not null,
  position integer not null,
  module_id text not null,
  primary key (app_id, position),
  foreign key (project_id, app_id) references app (project_id, id) on delete cascade,
  foreign key (project_id, module_id) references module (project_id, id) deferrable initially deferred
);
create index app_module_module on app_module (module_id);

-- Guests: the role appGuest on a single app.
create table app_guest (
  project_id text not null,
  app_id text not null,
  user_id text not null references user_account on delete cascade,
  created_at timestamptz not null,
  created_by text not null,
  primary key (app_id, user_id),
  foreign key (project_id, app_id) references app (project_id, id) on delete cascade
);
create index app_guest_user on app_guest (user_id);
