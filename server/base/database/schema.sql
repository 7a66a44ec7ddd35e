-- What all migrations and routines make of an empty database. Written by npm run bless: never edit it.

create sequence content_moment;
create sequence queue_turns;

create table app (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  map_version text not null,
  properties json not null,
  publish_task_ids text[] not null default '{}'::text[],
  is_public boolean not null default false,
  member_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  slug text,
  frame_origins text[] not null default '{}'::text[],
  release_id text,
  public_from timestamptz,
  public_until timestamptz,
  warnings json not null default '[]'::json,
  last_release integer not null default 0,
  public_release_id text,
  public_set_by text,
  former_slug text,
  base_maps text[] not null default '{}'::text[],
  tools text[] not null default '{}'::text[],
  primary key (id),
  unique (project_id, id),
  unique (slug),
  foreign key (id, release_id) references app_release(app_id, id) deferrable initially deferred,
  foreign key (project_id) references project(id) on delete cascade,
  check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);
create index app_created_at on app using btree (project_id, created_at, id);
create index app_public on app using btree (id) where is_public;
create index app_public_from on app using btree (public_from) where (public_from is not null);
create index app_public_until on app using btree (public_until) where (public_until is not null);
-- trigger app_gone: routines/keep_deleted_rows.sql
-- trigger app_told_changed: routines/record_changed.sql
-- trigger app_told_created: routines/record_created.sql
-- trigger app_told_deleted: routines/record_deleted.sql

create table app_guest (
  project_id text not null,
  app_id text not null,
  user_id text not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (app_id, user_id),
  foreign key (project_id, app_id) references app(project_id, id) on delete cascade,
  foreign key (user_id) references user_account(id) on delete cascade
);
create index app_guest_user on app_guest using btree (user_id);
-- trigger app_guest_gone: routines/keep_deleted_rows.sql

create table app_module (
  project_id text not null,
  app_id text not null,
  "position" integer not null,
  module_id text not null,
  primary key (app_id, "position"),
  foreign key (project_id, app_id) references app(project_id, id) on delete cascade,
  foreign key (project_id, module_id) references module(project_id, id) deferrable initially deferred
);
create index app_module_module on app_module using btree (module_id);
-- trigger app_module_gone: routines/keep_deleted_rows.sql

create table app_picture (
  project_id text not null,
  app_id text not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (app_id),
  foreign key (blob_id) references blob(id),
  foreign key (project_id, app_id) references app(project_id, id) on delete cascade
);
create index app_picture_blob on app_picture using btree (blob_id);
-- trigger app_picture_counted: routines/count_kept.sql
-- trigger app_picture_deleted: routines/keep_deleted_app_picture.sql
-- trigger app_picture_uncounted: routines/uncount_kept.sql

create table app_release (
  id text not null,
  project_id text not null,
  app_id text not null,
  number integer not null,
  note text not null,
  name text not null,
  description text not null,
  map_version text not null,
  engine_version text not null,
  modules json not null,
  authors text[] not null,
  world json not null,
  warnings json not null,
  created_at timestamptz not null,
  created_by text not null,
  plugins json not null default '{}'::json,
  number_of_modules integer not null generated always as (json_array_length(modules)) stored,
  tools text[] not null default '{}'::text[],
  primary key (id),
  unique (app_id, id),
  unique (app_id, number),
  foreign key (project_id, app_id) references app(project_id, id) on delete cascade
);
create index app_release_project on app_release using btree (project_id);
-- trigger app_release_gone: routines/keep_deleted_rows.sql
-- trigger app_release_told_created: routines/record_releases_created.sql
-- trigger app_release_told_deleted: routines/record_deleted.sql

create table app_release_config (
  release_id text not null,
  made_by text not null,
  etag text not null,
  size integer not null,
  brotli bytea not null,
  gzip bytea not null,
  hosts text[] not null,
  primary key (release_id),
  foreign key (release_id) references app_release(id) on delete cascade
);

create table app_release_data (
  project_id text not null,
  app_id text not null,
  release_id text not null,
  datasource_id text not null,
  revision integer not null,
  authors text[] not null,
  shown_until timestamptz,
  primary key (release_id, datasource_id),
  foreign key (app_id, release_id) references app_release(app_id, id) on delete cascade
);
create index app_release_data_pin on app_release_data using btree (datasource_id, revision);
create index app_release_data_shown on app_release_data using btree (datasource_id, shown_until) where (shown_until is not null);
-- trigger app_release_data_gone: routines/keep_deleted_rows.sql

create table audit_entry (
  id text not null,
  created_at timestamptz not null,
  actor_id text not null,
  address text not null,
  action text not null,
  project_id text not null,
  target_id text not null,
  detail json not null,
  user_agent text not null default ''::text,
  primary key (id)
);
create index audit_entry_action on audit_entry using btree (action, created_at, id);
create index audit_entry_actor on audit_entry using btree (actor_id, created_at, id);
create index audit_entry_created_at on audit_entry using btree (created_at, id);
create index audit_entry_target on audit_entry using btree (target_id);
-- trigger audit_entry_append_only: routines/refuse_change.sql
-- trigger audit_entry_kept: routines/refuse_change.sql

create table blob (
  id text not null,
  project_id text not null,
  size bigint not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  unneeded_since timestamptz,
  primary key (id)
);
create index blob_content on blob using btree (project_id, sha256);
create index blob_unneeded on blob using btree (unneeded_since) where (unneeded_since is not null);
-- trigger blob_removed: routines/uncount_stored_blobs.sql
-- trigger blob_stored: routines/count_stored_blobs.sql

create table bundle_content (
  job_id text not null,
  attempt integer not null,
  content json not null,
  created_at timestamptz not null,
  primary key (job_id),
  foreign key (job_id) references job(id) on delete cascade
);

create table capability (
  hash bytea not null,
  nonce bytea not null,
  login_hash bytea not null,
  user_id text not null,
  project_id text not null,
  app_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (hash),
  unique (login_hash, app_id),
  foreign key (login_hash) references token(hash) on delete cascade,
  foreign key (project_id, app_id) references app(project_id, id) on delete cascade,
  foreign key (user_id) references user_account(id) on delete cascade
);
create index capability_app on capability using btree (app_id);
create index capability_expires on capability using btree (expires_at);
create index capability_user on capability using btree (user_id);

create table cleanup (
  id text not null,
  at timestamptz not null,
  project_id text,
  kind text not null,
  count bigint not null,
  bytes bigint not null,
  detail json not null,
  primary key (id)
);
create index cleanup_at on cleanup using btree (at, id);
create index cleanup_project on cleanup using btree (project_id, at, id);

create table credential (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  type text not null,
  target json not null,
  login json not null,
  secret bytea,
  login_credential_id text,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (id),
  unique (project_id, id),
  foreign key (login_credential_id) references login_credential(id) on delete set null deferrable,
  foreign key (project_id) references project(id) on delete cascade,
  check ((type = any (array['fs'::text, 'ftp'::text, 'sftp'::text, 's3'::text])))
);
create index credential_created_at on credential using btree (project_id, created_at, id);
create index credential_folder on credential using btree (((target ->> 'folder'::text))) where (type = 'fs'::text);
create index credential_login on credential using btree (login_credential_id) where (login_credential_id is not null);
-- trigger credential_gone: routines/keep_deleted_rows.sql
-- trigger credential_told_changed: routines/record_changed.sql
-- trigger credential_told_created: routines/record_created.sql
-- trigger credential_told_deleted: routines/record_deleted.sql

create table data_bucket (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  properties json not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (id),
  unique (project_id, id),
  foreign key (project_id) references project(id) on delete cascade
);
create index data_bucket_created_at on data_bucket using btree (project_id, created_at, id);
-- trigger data_bucket_gone: routines/keep_deleted_rows.sql
-- trigger data_bucket_root: routines/create_root_folder.sql
-- trigger data_bucket_told_changed: routines/record_changed.sql
-- trigger data_bucket_told_created: routines/record_created.sql
-- trigger data_bucket_told_deleted: routines/record_deleted.sql

create table datasource (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  type text not null,
  type_properties json not null,
  source_properties json not null,
  bucket_id text,
  bucket_key text collate "C",
  served_folder text collate "C",
  bbox double precision[],
  properties json not null,
  job_ids text[] not null default '{}'::text[],
  publish_task_ids text[] not null default '{}'::text[],
  data_updated_at timestamptz not null,
  data_updated_by text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  former_names text[] not null default '{}'::text[],
  data_revision integer not null default 1,
  primary_id text,
  result_key text,
  facts json,
  ask_at timestamptz,
  primary key (id),
  unique (project_id, id),
  foreign key (project_id, bucket_id) references data_bucket(project_id, id) on delete set null (bucket_id) deferrable,
  foreign key (project_id) references project(id) on delete cascade
);
create index datasource_ask on datasource using btree (ask_at) where (ask_at is not null);
create index datasource_bucket on datasource using btree (bucket_id, bucket_key);
create index datasource_created_at on datasource using btree (project_id, created_at, id);
create index datasource_folder on datasource using btree (bucket_id, served_folder) where (served_folder is not null);
create index datasource_jobs on datasource using gin (job_ids);
create index datasource_primary on datasource using btree (primary_id, result_key) where (primary_id is not null);
create index datasource_source_bucket on datasource using btree (project_id, ((source_properties ->> 'dataBucketId'::text)));
-- trigger datasource_gone: routines/keep_deleted_rows.sql
-- trigger datasource_told_changed: routines/record_changed.sql
-- trigger datasource_told_created: routines/record_created.sql
-- trigger datasource_told_deleted: routines/record_deleted.sql

create table datasource_revision (
  project_id text not null,
  datasource_id text not null,
  revision integer not null,
  cause text not null,
  type text not null,
  type_properties json not null,
  source_properties json not null,
  bucket_id text,
  bucket_key text collate "C",
  served_folder text collate "C",
  former_names text[] not null,
  bbox double precision[],
  properties json not null,
  job_id text,
  moment bigint not null,
  until bigint,
  created_at timestamptz not null,
  created_by text not null,
  replaced_at timestamptz,
  lineage json,
  facts json,
  primary key (datasource_id, revision),
  foreign key (project_id, datasource_id) references datasource(project_id, id) on delete cascade
);
create index datasource_revision_place on datasource_revision using btree (bucket_id, bucket_key);
create index datasource_revision_replaced on datasource_revision using btree (replaced_at) where (replaced_at is not null);
-- trigger datasource_revision_gone: routines/keep_deleted_rows.sql

create table enrolment_token (
  hash bytea not null,
  expires_at timestamptz,
  id text,
  name text not null default ''::text,
  created_at timestamptz not null default now(),
  created_by text not null default ''::text,
  primary key (hash),
  unique (id)
);

create table event_horizon (
  "position" bigint not null
);

create table folder (
  bucket_id text not null,
  path text collate "C" not null,
  parent text collate "C",
  files bigint not null,
  folders bigint not null,
  objects bigint not null,
  bytes bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (bucket_id, path),
  foreign key (bucket_id) references data_bucket(id) on delete cascade
);
create index folder_parent on folder using btree (bucket_id, parent, path);

create table idempotent_request (
  user_id text not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  reply json not null,
  created_at timestamptz not null,
  primary key (user_id, path, key)
);
create index idempotent_request_created_at on idempotent_request using btree (created_at);

create table inspection (
  project_id text not null,
  report_of bytea not null,
  sha256 bytea,
  name text not null,
  format text,
  format_title text,
  kind text,
  summary text,
  report json not null,
  created_at timestamptz not null,
  primary key (project_id, report_of),
  foreign key (project_id) references project(id) on delete cascade
);
create index inspection_content on inspection using btree (project_id, sha256, created_at);
create index inspection_created_at on inspection using btree (project_id, created_at);

create table inspection_sample (
  project_id text not null,
  report_of bytea not null,
  "position" integer not null,
  layer text not null,
  is_whole boolean not null,
  features json not null,
  primary key (project_id, report_of, "position"),
  foreign key (project_id, report_of) references inspection(project_id, report_of) on delete cascade
);

create table job (
  id text not null,
  project_id text not null,
  task_id text,
  job_type text not null,
  job_version text not null,
  labels text[] not null default '{}'::text[],
  priority integer not null,
  debug_level integer not null,
  parameters json not null,
  state text not null,
  attempt integer not null default 0,
  runner_id text,
  token_hash bytea,
  lease_until timestamptz,
  lost_leases integer not null default 0,
  abort_requested boolean not null default false,
  progress json,
  stages json not null default '[]'::json,
  parameter_warnings json not null default '[]'::json,
  warnings json not null default '[]'::json,
  outputs json not null default '[]'::json,
  report json,
  report_of bytea,
  error_code text,
  error_message text,
  log_seq integer not null default 0,
  log_received integer not null default 0,
  start_time timestamptz,
  end_time timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  about text,
  type_name text not null default ''::text,
  band smallint not null default 0,
  not_before timestamptz,
  is_held boolean not null default false,
  failures integer not null default 0,
  timeout_seconds integer,
  deadline_at timestamptz,
  rejected integer not null default 0,
  repeats text,
  is_limited boolean not null default false,
  log_counts integer[] not null default '{0,0,0,0}'::integer[],
  log_from integer not null default 0,
  output_files json,
  tags json not null default '{}'::json,
  primary key (id),
  unique (project_id, id),
  foreign key (project_id) references project(id) on delete cascade,
  foreign key (project_id, task_id) references task(project_id, id) on delete cascade,
  check ((state = any (array['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'aborted'::text, 'timedOut'::text])))
);
create index job_about on job using btree (project_id, about) where ((about is not null) and (state = 'queued'::text));
create index job_end on job using btree (end_time, id, project_id, created_at, task_id) where (end_time is not null);
create index job_error on job using btree (error_code, created_at, id, project_id) where ((task_id is not null) and (error_code is not null));
create index job_held on job using btree (task_id, created_at, id) where is_held;
create index job_later on job using btree (not_before) where ((state = 'queued'::text) and (not_before is not null));
create index job_newest on job using btree (created_at, id) where (task_id is not null);
create index job_of_project on job using btree (project_id, created_at, id) where (task_id is not null);
create index job_queue on job using btree (band, project_id, hash_array_extended(labels, (0)::bigint), type_name, priority desc, created_at, id) where ((state = 'queued'::text) and (not_before is null) and (not is_held));
create index job_queued_of_task on job using btree (task_id, created_at, id) where (state = 'queued'::text);
create index job_rejected on job using btree (created_at, id, project_id) where ((task_id is not null) and (rejected > 0));
create index job_report on job using btree (project_id, report_of, created_at) where (report_of is not null);
create index job_running on job using btree (project_id, task_id) where (state = 'running'::text);
create index job_start on job using btree (start_time, id, project_id, created_at) where ((task_id is not null) and (start_time is not null));
create index job_state on job using btree (state, created_at, id, project_id) where ((task_id is not null) and (state = any (array['succeeded'::text, 'failed'::text, 'aborted'::text, 'timedOut'::text])));
create index job_task on job using btree (task_id, created_at, id) where (task_id is not null);
create index job_type on job using btree (job_type, created_at, id, project_id) where (task_id is not null);
-- trigger job_attempt_ended: routines/end_operations.sql
-- trigger job_begins_anew: routines/reset_attempt.sql
-- trigger job_bundle_ended: routines/delete_bundle_content.sql
-- trigger job_count_added: routines/count_created_jobs.sql
-- trigger job_count_ended: routines/count_ended_job.sql
-- trigger job_count_gone: routines/count_deleted_jobs.sql
-- trigger job_gone: routines/keep_deleted_rows.sql
-- trigger job_keeps_task: routines/refuse_other_task.sql
-- trigger job_told_changed: routines/record_job_changed.sql
-- trigger job_told_created: routines/record_jobs_created.sql
-- trigger job_told_deleted: routines/record_jobs_deleted.sql

create table job_count (
  task_id text not null,
  project_id text not null,
  job_type text not null,
  state text not null,
  jobs bigint not null,
  primary key (task_id, project_id, job_type, state)
);
create index job_count_none on job_count using btree (task_id) where (jobs = 0);

create table job_count_change (
  task_id text not null,
  project_id text not null,
  job_type text not null,
  state text not null,
  jobs bigint not null
);

create table job_file (
  project_id text not null,
  job_id text not null,
  name text collate "C" not null,
  attempt integer not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  primary key (job_id, name),
  foreign key (blob_id) references blob(id),
  foreign key (project_id, job_id) references job(project_id, id) on delete cascade
);
create index job_file_blob on job_file using btree (blob_id);
-- trigger job_file_counted: routines/count_kept.sql
-- trigger job_file_deleted: routines/keep_deleted_job_file.sql
-- trigger job_file_uncounted: routines/uncount_kept.sql

create table job_log (
  job_id text not null,
  seq integer not null,
  at timestamptz not null,
  level text not null,
  message text not null,
  data json,
  attempt integer not null default 0,
  operation integer not null default 0,
  primary key (job_id, seq),
  foreign key (job_id) references job(id) on delete cascade
);
create index job_log_operation on job_log using btree (job_id, attempt, operation, seq);
create index job_log_severe on job_log using btree (job_id, seq) where (level = any (array['warning'::text, 'error'::text]));
-- trigger job_log_gone: routines/keep_deleted_rows.sql

create table job_operation (
  job_id text not null,
  attempt integer not null,
  n integer not null,
  name text not null,
  state text not null,
  runner_name text not null,
  start_time timestamptz not null,
  end_time timestamptz,
  done double precision not null,
  total double precision not null,
  unit text,
  primary key (job_id, attempt, n),
  foreign key (job_id) references job(id) on delete cascade,
  check ((state = any (array['running'::text, 'succeeded'::text, 'failed'::text, 'aborted'::text, 'timedOut'::text])))
);
-- trigger job_operation_gone: routines/keep_deleted_rows.sql

create table job_output (
  job_id text not null,
  attempt integer not null,
  key text collate "C" not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  primary key (job_id, attempt, key),
  foreign key (blob_id) references blob(id),
  foreign key (job_id) references job(id) on delete cascade
);
create index job_output_blob on job_output using btree (blob_id);
-- trigger job_output_deleted: routines/release_deleted_blobs.sql
-- trigger job_output_replaced: routines/release_replaced_blobs.sql

create table job_output_page (
  job_id text not null,
  page integer not null,
  outputs json not null,
  primary key (job_id, page),
  foreign key (job_id) references job(id) on delete cascade
);
-- trigger job_output_page_gone: routines/keep_deleted_rows.sql

create table kept_usage (
  project_id text not null,
  kind text not null,
  objects bigint not null,
  bytes bigint not null,
  primary key (project_id, kind),
  foreign key (project_id) references project(id) on delete cascade,
  check ((kind = any (array['revisions'::text, 'trash'::text, 'jobFiles'::text, 'pictures'::text])))
);

create table login_credential (
  id text not null,
  user_id text not null,
  name text not null,
  description text not null,
  type text not null,
  login json not null,
  secret bytea not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (id),
  foreign key (user_id) references user_account(id) on delete cascade,
  check ((type = any (array['aws'::text, 'userPassword'::text, 'sshKey'::text])))
);
create index login_credential_user on login_credential using btree (user_id, created_at, id);

create table login_failure (
  id bigint not null generated always as identity,
  key text not null,
  at timestamptz not null,
  primary key (id)
);
create index login_failure_at on login_failure using btree (at);
create index login_failure_key on login_failure using btree (key, at);

create table map_plugin (
  name text collate "C" not null,
  version text collate "C" not null,
  description text not null,
  map_version text not null,
  size bigint not null,
  number_of_files integer not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  created_by text not null,
  deleted_at timestamptz,
  has_readme boolean not null default false,
  has_changelog boolean not null default false,
  license text,
  primary key (name, version)
);

create table map_plugin_file (
  name text collate "C" not null,
  version text collate "C" not null,
  path text collate "C" not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  primary key (name, version, path),
  foreign key (blob_id) references blob(id),
  foreign key (name, version) references map_plugin(name, version) on delete cascade
);
create index map_plugin_file_blob on map_plugin_file using btree (blob_id);
-- trigger map_plugin_file_deleted: routines/release_deleted_blobs.sql

create table membership (
  project_id text not null,
  user_id text not null,
  role_id text not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (project_id, user_id),
  foreign key (project_id) references project(id) on delete cascade,
  foreign key (role_id) references role(id),
  foreign key (user_id) references user_account(id) on delete cascade
);
create index membership_user on membership using btree (user_id);
-- trigger membership_told_changed: routines/record_member.sql
-- trigger membership_told_created: routines/record_member.sql
-- trigger membership_told_deleted: routines/record_member_deleted.sql

create table migration (
  name text not null,
  applied_at timestamptz not null,
  primary key (name)
);

create table module (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  content json not null,
  properties json not null,
  member_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  warnings json not null default '[]'::json,
  primary key (id),
  unique (project_id, id),
  foreign key (project_id) references project(id) on delete cascade
);
create index module_created_at on module using btree (project_id, created_at, id);
-- trigger module_gone: routines/keep_deleted_rows.sql
-- trigger module_told_changed: routines/record_changed.sql
-- trigger module_told_created: routines/record_created.sql
-- trigger module_told_deleted: routines/record_deleted.sql

create table module_datasource (
  project_id text not null,
  module_id text not null,
  datasource_id text not null,
  primary key (module_id, datasource_id),
  foreign key (project_id, datasource_id) references datasource(project_id, id) deferrable initially deferred,
  foreign key (project_id, module_id) references module(project_id, id) on delete cascade
);
create index module_datasource_datasource on module_datasource using btree (datasource_id);
-- trigger module_datasource_gone: routines/keep_deleted_rows.sql

create table object (
  project_id text not null,
  bucket_id text not null,
  key text collate "C" not null,
  id text not null default replace((gen_random_uuid())::text, '-'::text, ''::text),
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  folder text collate "C" not null generated always as ("left"(key, ((length(key) - strpos((reverse(key) || '/'::text), '/'::text)) + 1))) stored,
  revision integer not null default 1,
  moment bigint not null default current_moment(),
  content_at timestamptz,
  content_by text,
  folded_name text collate "C" not null generated always as (lower(("substring"(key, '[^/]*$'::text) collate platen_text))) stored,
  primary key (bucket_id, key),
  unique (id),
  foreign key (blob_id) references blob(id),
  foreign key (project_id, bucket_id) references data_bucket(project_id, id) on delete cascade
);
create index object_blob on object using btree (blob_id);
create index object_created_at on object using btree (bucket_id, created_at, key);
create index object_ending on object using btree (bucket_id, reverse(lower(key)), key);
create index object_folder on object using btree (bucket_id, folder, key);
create index object_project on object using btree (project_id);
create index object_size on object using btree (bucket_id, size, key);
create index object_updated_at on object using btree (bucket_id, updated_at, key);
-- trigger object_content: routines/advance_content_revision.sql
-- trigger object_deleted: routines/keep_deleted_object.sql
-- trigger object_replaced: routines/keep_replaced_content.sql
-- trigger object_served: routines/record_overwritten_data.sql
-- trigger object_served_added: routines/record_added_data.sql
-- trigger object_told_changed: routines/record_objects_changed.sql
-- trigger object_told_created: routines/record_objects_created.sql
-- trigger object_told_deleted: routines/record_objects_deleted.sql
-- trigger object_z1_added: routines/count_added_files.sql
-- trigger object_z1_changed: routines/count_added_files.sql
-- trigger object_z2_changed: routines/count_removed_files.sql
-- trigger object_z2_gone: routines/count_removed_files.sql

create table object_revision (
  project_id text not null,
  object_id text not null,
  revision integer not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  moment bigint not null,
  created_at timestamptz not null,
  created_by text not null,
  replaced_at timestamptz not null,
  replaced_by text not null,
  until bigint not null,
  primary key (object_id, revision),
  foreign key (blob_id) references blob(id),
  foreign key (project_id) references project(id) on delete cascade
);
create index object_revision_blob on object_revision using btree (blob_id);
create index object_revision_project on object_revision using btree (project_id);
create index object_revision_replaced on object_revision using btree (replaced_at);
-- trigger object_revision_counted: routines/count_kept.sql
-- trigger object_revision_deleted: routines/release_deleted_blobs.sql
-- trigger object_revision_uncounted: routines/uncount_kept.sql

create table password_reset (
  user_id text not null,
  hash bytea not null,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  primary key (user_id),
  unique (hash),
  foreign key (user_id) references user_account(id) on delete cascade
);

create table project (
  id text not null,
  name text not null,
  description text not null,
  bbox double precision[] not null,
  properties json not null,
  default_data_bucket_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  quota_bytes bigint,
  quota_objects bigint,
  max_running_jobs integer,
  keep_jobs_days integer,
  keep_jobs integer,
  deleted_at timestamptz,
  deleted_by text,
  base_maps json not null default '[]'::json,
  primary key (id),
  foreign key (id, default_data_bucket_id) references data_bucket(project_id, id) deferrable initially deferred,
  check ((array_length(bbox, 1) = 4))
);
create index project_created_at on project using btree (created_at, id);
create index project_deleted on project using btree (deleted_at) where (deleted_at is not null);
-- trigger project_takes_turns: routines/create_project_turn.sql
-- trigger project_told_changed: routines/record_project_changed.sql

create table project_change (
  id bigint not null generated always as identity,
  project_id text not null,
  type text not null,
  action text not null,
  resource_id text not null,
  revision integer,
  by text,
  owner_id text,
  task_id text,
  state text,
  count bigint,
  at timestamptz not null default clock_timestamp(),
  primary key (id)
);

create table project_event (
  "position" bigint not null generated always as identity,
  project_id text not null,
  type text not null,
  action text not null,
  resource_id text not null,
  revision integer,
  by text,
  owner_id text,
  task_id text,
  state text,
  count bigint,
  at timestamptz not null,
  primary key ("position")
);
create index project_event_project on project_event using btree (project_id, "position");

create table publish_run (
  job_id text not null,
  attempt integer not null,
  place text collate "C" not null,
  primary key (job_id),
  foreign key (job_id) references job(id) on delete cascade
);

create table queue_turn (
  project_id text not null,
  turn bigint not null default 0,
  primary key (project_id),
  foreign key (project_id) references project(id) on delete cascade
);

create table reservation (
  id text not null,
  project_id text not null,
  bucket_id text,
  bytes bigint not null,
  objects bigint not null,
  upload_id text,
  job_id text,
  expires_at timestamptz not null,
  primary key (id),
  foreign key (job_id) references job(id) on delete cascade,
  foreign key (project_id) references project(id) on delete cascade,
  foreign key (upload_id) references upload(id) on delete cascade
);
create index reservation_job on reservation using btree (job_id) where (job_id is not null);
create index reservation_project on reservation using btree (project_id);
create index reservation_upload on reservation using btree (upload_id) where (upload_id is not null);

create table role (
  id text not null,
  name text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id),
  unique (name)
);

create table routines (
  hash text not null
);

create table runner (
  id text not null,
  name text not null,
  labels text[] not null default '{}'::text[],
  version text not null,
  token_hash bytea not null,
  seen_at timestamptz not null,
  created_at timestamptz not null,
  is_embedded boolean not null default false,
  type_names text[],
  capabilities json,
  stopped_at timestamptz,
  primary key (id),
  unique (name),
  unique (token_hash)
);

create table scenario (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  properties json not null,
  app_id text,
  publish_task_ids text[] not null default '{}'::text[],
  member_id text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  config json not null default '{}'::json,
  is_public boolean not null default false,
  primary key (id),
  unique (project_id, id),
  foreign key (project_id, app_id) references app(project_id, id) on delete set null (app_id) deferrable,
  foreign key (project_id) references project(id) on delete cascade
);
create index scenario_app on scenario using btree (app_id) where (app_id is not null);
create index scenario_created_at on scenario using btree (project_id, created_at, id);
-- trigger scenario_gone: routines/keep_deleted_rows.sql
-- trigger scenario_told_changed: routines/record_changed.sql
-- trigger scenario_told_created: routines/record_created.sql
-- trigger scenario_told_deleted: routines/record_deleted.sql

create table scenario_module (
  project_id text not null,
  scenario_id text not null,
  "position" integer not null,
  module_id text not null,
  primary key (scenario_id, "position"),
  foreign key (project_id, module_id) references module(project_id, id) deferrable initially deferred,
  foreign key (project_id, scenario_id) references scenario(project_id, id) on delete cascade
);
create index scenario_module_module on scenario_module using btree (module_id);
-- trigger scenario_module_gone: routines/keep_deleted_rows.sql

create table secret_key (
  id text not null,
  created_at timestamptz not null,
  primary key (id)
);

create table service_settings (
  is_only boolean not null default true,
  name text not null default 'Platen'::text,
  lists_public_apps boolean not null default false,
  revision integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null default ''::text,
  api_origins text[] not null default '{}'::text[],
  base_maps json not null default '[]'::json,
  primary key (is_only),
  check (is_only)
);

create table share_link (
  id text not null,
  project_id text not null,
  app_id text not null,
  name text not null,
  shows text not null,
  token_hash bytea not null,
  password_hash text,
  expires_at timestamptz,
  max_uses integer,
  use_count integer not null default 0,
  last_used_at timestamptz,
  allowed_origins text[] not null default '{}'::text[],
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (id),
  unique (token_hash),
  foreign key (project_id, app_id) references app(project_id, id) on delete cascade,
  check ((max_uses > 0))
);
create index share_link_app on share_link using btree (app_id, created_at, id);
-- trigger share_link_gone: routines/keep_deleted_rows.sql

create table share_visit (
  hash bytea not null,
  link_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  primary key (hash),
  foreign key (link_id) references share_link(id) on delete cascade
);
create index share_visit_expires on share_visit using btree (expires_at);
create index share_visit_link on share_visit using btree (link_id);

create table stored (
  project_id text not null,
  shard integer not null,
  bytes bigint not null,
  blobs bigint not null,
  primary key (project_id, shard)
);

create table task (
  id text not null,
  project_id text not null,
  name text not null,
  description text not null,
  labels json not null,
  tags json not null,
  debug_level integer not null,
  priority integer not null,
  job_type text not null,
  job_version text not null,
  schedule json not null,
  properties json not null,
  parameters json not null,
  next_run_at timestamptz,
  last_job_id text,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  timeout_seconds integer,
  primary key (id),
  unique (project_id, id),
  foreign key (project_id) references project(id) on delete cascade
);
create index task_created_at on task using btree (project_id, created_at, id);
create index task_due on task using btree (next_run_at) where (next_run_at is not null);
create index task_newest on task using btree (created_at, id);
-- trigger task_gone: routines/keep_deleted_rows.sql
-- trigger task_told_changed: routines/record_changed.sql
-- trigger task_told_created: routines/record_created.sql
-- trigger task_told_deleted: routines/record_deleted.sql

create table task_reference (
  project_id text not null,
  task_id text not null,
  role text not null,
  bucket_id text,
  bucket_key text collate "C",
  datasource_id text,
  app_id text,
  credential_id text,
  scenario_id text,
  foreign key (project_id, task_id) references task(project_id, id) on delete cascade,
  check ((role = any (array['input'::text, 'output'::text, 'target'::text, 'publish'::text])))
);
create index task_reference_app on task_reference using btree (app_id) where (app_id is not null);
create index task_reference_credential on task_reference using btree (credential_id) where (credential_id is not null);
create index task_reference_datasource on task_reference using btree (datasource_id) where (datasource_id is not null);
create index task_reference_place on task_reference using btree (bucket_id, bucket_key) where (bucket_id is not null);
create index task_reference_scenario on task_reference using btree (scenario_id) where (scenario_id is not null);
create index task_reference_task on task_reference using btree (task_id);
-- trigger task_reference_gone: routines/keep_deleted_rows.sql

create table task_run (
  task_id text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (task_id, last_at),
  foreign key (task_id) references task(id) on delete cascade
);

create table token (
  hash bytea not null,
  user_id text not null,
  kind text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  id text not null,
  address text not null default ''::text,
  user_agent text not null default ''::text,
  last_seen_at timestamptz not null,
  ends_at timestamptz not null,
  name text not null default ''::text,
  scope text not null default 'write'::text,
  project_id text,
  primary key (hash),
  foreign key (project_id) references project(id) on delete cascade,
  foreign key (user_id) references user_account(id) on delete cascade,
  check ((kind = any (array['bearer'::text, 'session'::text, 'access'::text]))),
  check ((scope = any (array['read'::text, 'write'::text])))
);
create index token_expires on token using btree (expires_at);
create unique index token_id on token using btree (id);
create index token_project on token using btree (project_id) where (project_id is not null);
create index token_user on token using btree (user_id);

create table trash_app_picture (
  entry_id text not null,
  project_id text not null,
  app_id text not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (entry_id, app_id),
  foreign key (blob_id) references blob(id),
  foreign key (entry_id) references trash_entry(id) on delete cascade
);
create index trash_app_picture_blob on trash_app_picture using btree (blob_id);
-- trigger trash_app_picture_counted: routines/count_kept.sql
-- trigger trash_app_picture_deleted: routines/release_trash_app_picture.sql
-- trigger trash_app_picture_uncounted: routines/uncount_kept.sql

create table trash_entry (
  id text not null,
  project_id text not null,
  type text not null,
  resource_id text,
  name text not null,
  bucket_id text,
  owner_id text not null,
  job_type text,
  objects bigint not null default 0,
  bytes bigint not null default 0,
  deleted_at timestamptz not null,
  deleted_by text not null,
  is_emptied boolean not null default false,
  primary key (id),
  foreign key (project_id) references project(id) on delete cascade
);
create index trash_entry_deleted_at on trash_entry using btree (deleted_at);
create index trash_entry_project on trash_entry using btree (project_id, deleted_at, id);

create table trash_job_file (
  entry_id text not null,
  project_id text not null,
  job_id text not null,
  name text collate "C" not null,
  attempt integer not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  created_at timestamptz not null,
  primary key (entry_id, job_id, name),
  foreign key (blob_id) references blob(id),
  foreign key (entry_id) references trash_entry(id) on delete cascade
);
create index trash_job_file_blob on trash_job_file using btree (blob_id);
-- trigger trash_job_file_counted: routines/count_kept.sql
-- trigger trash_job_file_deleted: routines/release_trash_job_file.sql
-- trigger trash_job_file_uncounted: routines/uncount_kept.sql

create table trash_object (
  entry_id text not null,
  project_id text not null,
  bucket_id text not null,
  key text collate "C" not null,
  id text not null,
  blob_id text not null,
  size bigint not null,
  sha256 bytea not null,
  content_type text not null,
  revision integer not null,
  moment bigint not null,
  content_at timestamptz,
  content_by text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (entry_id, key),
  unique (id),
  foreign key (blob_id) references blob(id),
  foreign key (entry_id) references trash_entry(id) on delete cascade
);
create index trash_object_blob on trash_object using btree (blob_id);
-- trigger trash_object_counted: routines/count_kept.sql
-- trigger trash_object_deleted: routines/release_trash_object.sql
-- trigger trash_object_uncounted: routines/uncount_kept.sql

create table trash_row (
  entry_id text not null,
  "position" bigint not null generated always as identity,
  source text not null,
  content json not null,
  primary key (entry_id, "position"),
  foreign key (entry_id) references trash_entry(id) on delete cascade
);
create index trash_row_pins on trash_row using btree (entry_id) where (source = any (array['app_release_data'::text, 'datasource_revision'::text]));

create table upload (
  id text not null,
  project_id text not null,
  bucket_id text,
  user_id text,
  key text collate "C" not null,
  length bigint,
  overwrite boolean not null,
  metadata text not null,
  draft_id text not null,
  received bigint not null default 0,
  turn integer not null default 0,
  writing integer,
  writing_until timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  job_id text,
  attempt integer,
  primary key (id),
  unique (draft_id),
  foreign key (job_id) references job(id) on delete cascade,
  foreign key (project_id, bucket_id) references data_bucket(project_id, id) on delete cascade,
  foreign key (user_id) references user_account(id) on delete cascade,
  check ((((job_id is null) = ((bucket_id is not null) and (user_id is not null))) and ((job_id is null) = (attempt is null))))
);
create index upload_bucket on upload using btree (bucket_id, user_id, created_at);
create index upload_expires on upload using btree (expires_at);
create unique index upload_job on upload using btree (job_id, attempt, key) where (job_id is not null);
create index upload_user on upload using btree (user_id);

create table user_account (
  id text not null,
  username text not null,
  email text not null default ''::text,
  password_hash text not null,
  is_active boolean not null default true,
  is_admin boolean not null default false,
  is_super_user boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  project_id text,
  primary key (id),
  foreign key (project_id) references project(id) on delete cascade
);
create index user_account_created_at on user_account using btree (created_at, id);
create index user_account_project on user_account using btree (project_id) where (project_id is not null);
create unique index user_account_username on user_account using btree (lower((username collate platen_text)));

create view person as
 select id,
    username,
    email,
    password_hash,
    is_active,
    is_admin,
    is_super_user,
    revision,
    created_at,
    created_by,
    updated_at,
    updated_by,
    project_id
   from user_account
  where (project_id is null);

create view pinned_place as
 select distinct r.bucket_id,
    r.bucket_key,
    r.served_folder,
    r.until
   from (pinned_revision p
     join ( select datasource_revision.datasource_id,
            datasource_revision.revision,
            datasource_revision.bucket_id,
            datasource_revision.bucket_key,
            datasource_revision.served_folder,
            datasource_revision.until
           from datasource_revision
        union all
         select (trash_row.content ->> 'datasource_id'::text),
            ((trash_row.content ->> 'revision'::text))::integer as int4,
            (trash_row.content ->> 'bucket_id'::text),
            ((trash_row.content ->> 'bucket_key'::text) collate "C"),
            ((trash_row.content ->> 'served_folder'::text) collate "C"),
            ((trash_row.content ->> 'until'::text))::bigint as int8
           from trash_row
          where (trash_row.source = 'datasource_revision'::text)) r on (((r.datasource_id = p.datasource_id) and (r.revision = p.revision))))
  where ((r.until is not null) and (r.bucket_id is not null));

create view pinned_revision as
 select app_release_data.datasource_id,
    app_release_data.revision
   from app_release_data
union
 select (trash_row.content ->> 'datasource_id'::text) as datasource_id,
    ((trash_row.content ->> 'revision'::text))::integer as revision
   from trash_row
  where (trash_row.source = 'app_release_data'::text);
