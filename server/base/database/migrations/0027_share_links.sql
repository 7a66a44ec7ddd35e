-- An address by which people without a login see one app. Of the secret in it only the SHA-256 is known here.
create table share_link (
  id text primary key,
  project_id text not null,
  app_id text not null,
  name text not null,
  -- 'current', 'draft' or the id of a release
  shows text not null,
  token_hash bytea not null unique,
  password_hash text,
  expires_at timestamptz,
  max_uses integer check (max_uses > 0),
  use_count integer not null default 0,
  last_used_at timestamptz,
  -- whose pages may show it in a frame
  allowed_origins text[] not null default '{}',
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  foreign key (project_id, app_id) references app (project_id, id) on delete cascade
);
create index share_link_app on share_link (app_id, created_at, id);

-- One visitor of a share link. The secret of the data's path is made of the one in the visitor's address.
create table share_visit (
  hash bytea primary key,
  link_id text not null references share_link on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- when it was counted as a use, and began to open data; null: a password was right, and nothing more
  opened_at timestamptz
);
create index share_visit_link on share_visit (link_id);
create index share_visit_expires on share_visit (expires_at);

create trigger share_link_gone after delete on share_link referencing old table as gone
  for each statement execute function row_gone();
