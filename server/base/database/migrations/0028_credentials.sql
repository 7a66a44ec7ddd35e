-- Ids of the keys that services of this database encrypt secrets with: who has another one is told so.
create table secret_key (
  id text primary key,
  created_at timestamptz not null
);

-- A secret is sealed (server/base/secrets/secrets.ts): version, 8 bytes that name the key, nonce, tag, ciphertext.
create function key_id_of(secret bytea) returns text language sql immutable as $$
  select encode(substring(secret from 2 for 8), 'hex')
$$;

-- What somebody signs in with elsewhere.
create table login_credential (
  id text primary key,
  user_id text not null references user_account on delete cascade,
  name text not null,
  description text not null,
  type text not null check (type in ('aws', 'userPassword', 'sshKey')),
  -- what of it is no secret
  login json not null,
  secret bytea not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
create index login_credential_user on login_credential (user_id, created_at, id);

-- A place to publish to, and what opens it.
create table credential (
  id text primary key,
  project_id text not null references project on delete cascade,
  name text not null,
  description text not null,
  type text not null check (type in ('fs', 'ftp', 'sftp', 's3')),
  target json not null,
  -- what of the login is no secret
  login json not null,
  secret bytea,
  login_credential_id text references login_credential on delete set null deferrable,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (project_id, id)
);
create index credential_created_at on credential (project_id, created_at, id);
create index credential_login on credential (login_credential_id) where login_credential_id is not null;
-- Folders of the operator's belong to one project each.
create index credential_folder on credential ((target ->> 'folder')) where type = 'fs';

create trigger credential_gone after delete on credential referencing old table as gone
  for each statement execute function row_gone();
create trigger credential_told_created after insert on credential referencing new table as added
  for each statement execute function tell_created('credential');
create trigger credential_told_changed after update on credential for each row when (old.revision <> new.revision)
  execute function tell_changed('credential');
create trigger credential_told_deleted after delete on credential referencing old table as gone
  for each statement execute function tell_deleted('credential');

-- The contract names the types.
alter table trash_entry drop constraint if exists trash_entry_type_check;

-- What a task publishes, and by which credentials.
alter table task_reference drop constraint task_reference_role_check;
alter table task_reference add constraint task_reference_role_check
  check (role in ('input', 'output', 'target', 'publish'));
alter table task_reference add column app_id text;
alter table task_reference add column credential_id text;
create index task_reference_app on task_reference (app_id) where app_id is not null;
create index task_reference_credential on task_reference (credential_id) where credential_id is not null;

-- Where the jobs that publish right now write: two never write to the same place at once.
create table publish_run (
  job_id text primary key references job on delete cascade,
  attempt integer not null,
  place text collate "C" not null
);
