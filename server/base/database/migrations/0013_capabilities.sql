-- A path below /data/t/ that opens the data of one app to one user, for as long as the login that it came from lives.
-- The secret in the path is made of the login's secret and the nonce: neither is known from here.
create table capability (
  hash bytea primary key,
  nonce bytea not null,
  login_hash bytea not null references token (hash) on delete cascade,
  user_id text not null references user_account on delete cascade,
  project_id text not null,
  app_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (login_hash, app_id),
  foreign key (project_id, app_id) references app (project_id, id) on delete cascade
);
create index capability_app on capability (app_id);
create index capability_expires on capability (expires_at);
create index capability_user on capability (user_id);
