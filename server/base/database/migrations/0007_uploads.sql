-- A resumable upload (tus). Its bytes lie in a draft of the object store until the file is whole.
create table upload (
  id text primary key,
  project_id text not null,
  bucket_id text not null,
  user_id text not null references user_account on delete cascade,
  key text collate "C" not null,
  -- in bytes; null: the client has not told yet
  length bigint,
  overwrite boolean not null,
  -- the header Upload-Metadata as it came
  metadata text not null,
  -- in the object store, and of the blob that the draft becomes
  draft_id text not null unique,
  -- when the last request ended; what counts is what the store says
  received bigint not null default 0,
  -- whoever comes to write draws a number, and the holders of lower ones have to stop
  turn integer not null default 0,
  -- the number of who writes now; its process renews the lease
  writing integer,
  writing_until timestamptz,
  -- it is a file; the row stays for a client that did not hear of it
  finished_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (project_id, bucket_id) references data_bucket (project_id, id) on delete cascade
);
create index upload_bucket on upload (bucket_id, user_id, created_at);
create index upload_user on upload (user_id);
create index upload_expires on upload (expires_at);
