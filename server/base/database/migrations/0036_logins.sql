-- Logins are listed and ended one by one. A session ends at ends_at, or earlier when it is idle: each use moves
-- expires_at.
alter table token
  add column id text,
  add column address text not null default '',
  add column user_agent text not null default '',
  add column last_seen_at timestamptz,
  add column ends_at timestamptz;
update token set id = encode(substr(sha256(hash), 1, 12), 'hex'), last_seen_at = created_at, ends_at = expires_at;
alter table token
  alter column id set not null,
  alter column last_seen_at set not null,
  alter column ends_at set not null;
create unique index token_id on token (id);

-- Links by which users choose a new password once. Only the SHA-256 of the secret is kept.
create table password_reset (
  user_id text primary key references user_account on delete cascade,
  hash bytea not null unique,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null
);
