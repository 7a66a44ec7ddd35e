-- Text is folded and searched alike whatever the locale of the database: Ä is ä even where that is C.
do $$ begin
  if current_setting('server_version_num')::integer >= 170000 then
    create collation platen_text (provider = builtin, locale = 'C.UTF-8');
  else
    create collation platen_text (provider = icu, locale = 'und');
  end if;
end $$;

create table user_account (
  id text primary key,
  username text not null,
  email text not null default '',
  password_hash text not null,
  is_active boolean not null default true,
  is_admin boolean not null default false,
  is_super_user boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
create unique index user_account_username on user_account (lower(username collate platen_text));
create index user_account_created_at on user_account (created_at, id);

-- Only the SHA-256 of a token is kept.
create table token (
  hash bytea primary key,
  user_id text not null references user_account on delete cascade,
  kind text not null check (kind in ('bearer', 'session')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index token_user on token (user_id);
create index token_expires on token (expires_at);

-- Attempts that failed, by account and by address; what throttles the next ones.
create table login_failure (
  id bigint generated always as identity primary key,
  key text not null,
  at timestamptz not null
);
create index login_failure_key on login_failure (key, at);
create index login_failure_at on login_failure (at);

create table role (
  id text primary key,
  name text not null unique,
  permissions text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table audit_entry (
  id text primary key,
  created_at timestamptz not null,
  actor_id text not null,
  address text not null,
  action text not null,
  project_id text not null,
  target_id text not null,
  detail json not null
);
create index audit_entry_created_at on audit_entry (created_at, id);
create index audit_entry_target on audit_entry (target_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();

-- The effect of a POST that carried an Idempotency-Key, written in the effect's own transaction.
create table idempotent_request (
  user_id text not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  reply json not null,
  created_at timestamptz not null,
  primary key (user_id, path, key)
);
create index idempotent_request_created_at on idempotent_request (created_at);
