// oxlint-disable max-lines -- all tables in one place, as the database has them
import type { BaseMap } from '@platen/contract/base-maps';
import type { DatasourceFacts } from '@platen/contract/datasource-facts';
import type { CleanupKind } from '@platen/contract/cleanups';
import type { CredentialType } from '@platen/contract/credentials';
import type { ProblemDetail } from '@platen/contract/error';
import type { ProjectEvent } from '@platen/contract/events';
import type {
  JobLogEntry,
  JobOutput,
  JobOutputFiles,
  JobProgress,
  JobStage,
  JobState,
  JobWarning,
} from '@platen/contract/jobs';
import type { JobOperation } from '@platen/contract/job-operations';
import type { DatasourceLineage } from '@platen/contract/lineage';
import type { LoginFacts, LoginType } from '@platen/contract/login-credentials';
import type { Module } from '@platen/contract/modules';
import type { RunnerCapabilities } from '@platen/contract/runner-registration';
import type { Schedule } from '@platen/contract/schedules';
import type { FreeForm } from '@platen/contract/schema';
import type { TrashItem } from '@platen/contract/trash';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** The row types of all tables. A test compares them with the database: names, types, null. */
export interface Tables {
  user_account: UserTable;
  token: TokenTable;
  login_failure: LoginFailureTable;
  password_reset: PasswordResetTable;
  role: RoleTable;
  audit_entry: AuditTable;
  idempotent_request: IdempotentRequestTable;
  project: ProjectTable;
  membership: MembershipTable;
  service_settings: ServiceSettingsTable;
  capability: CapabilityTable;
  data_bucket: BucketTable;
  object: ObjectTable;
  folder: FolderTable;
  blob: BlobTable;
  upload: UploadTable;
  reservation: ReservationTable;
  object_revision: ObjectRevisionTable;
  datasource_revision: DatasourceRevisionTable;
  kept_usage: KeptUsageTable;
  task_reference: TaskReferenceTable;
  trash_entry: TrashEntryTable;
  trash_row: TrashRowTable;
  trash_object: TrashObjectTable;
  cleanup: CleanupTable;
  datasource: DatasourceTable;
  task: TaskTable;
  task_run: TaskRunTable;
  job: JobTable;
  runner: RunnerTable;
  enrolment_token: EnrolmentTokenTable;
  job_log: JobLogTable;
  job_operation: JobOperationTable;
  job_output: JobOutputTable;
  job_output_page: JobOutputPageTable;
  job_count: JobCountTable;
  job_count_change: JobCountTable;
  job_file: JobFileTable;
  project_change: ProjectChangeTable;
  project_event: ProjectEventTable;
  event_horizon: { position: number };
  module: ModuleTable;
  module_datasource: ModuleDatasourceTable;
  app: AppTable;
  app_module: AppModuleTable;
  app_guest: AppGuestTable;
  app_picture: AppPictureTable;
  app_release: AppReleaseTable;
  app_release_data: AppReleaseDataTable;
  app_release_config: AppReleaseConfigTable;
  map_plugin: MapPluginTable;
  map_plugin_file: MapPluginFileTable;
  share_link: ShareLinkTable;
  share_visit: ShareVisitTable;
  scenario: ScenarioTable;
  scenario_module: ScenarioModuleTable;
  login_credential: LoginCredentialTable;
  credential: CredentialTable;
  secret_key: SecretKeyTable;
  publish_run: PublishRunTable;
  bundle_content: BundleContentTable;
  inspection: InspectionTable;
  inspection_sample: InspectionSampleTable;
  queue_turn: QueueTurnTable;
  stored: StoredTable;
  trash_app_picture: TrashAppPictureTable;
  trash_job_file: TrashJobFileTable;
}

// identity

/** A `json` column: read as a value, written as text, so that keys keep their order. */
export type Json<T> = ColumnType<T, string, string>;
type Defaulted<T> = ColumnType<T, string | undefined, string>;

/** The columns that every resource has. */
export interface StampColumns {
  revision: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
}

export interface UserTable extends StampColumns {
  id: string;
  username: string;
  email: string;
  password_hash: string;
  is_active: boolean;
  is_admin: boolean;
  is_super_user: boolean;
  /** Only of the account of a project's token. */
  project_id: Generated<string | null>;
}

export interface TokenTable {
  hash: Buffer;
  user_id: string;
  kind: 'bearer' | 'session' | 'access';
  created_at: Date;
  expires_at: Date;
  id: string;
  address: string;
  user_agent: string;
  last_seen_at: Date;
  ends_at: Date;
  /** Only of access tokens. */
  name: Generated<string>;
  scope: Generated<'read' | 'write'>;
  /** The only project in which it can be used; null: all projects of the user. */
  project_id: Generated<string | null>;
}

export interface PasswordResetTable {
  user_id: string;
  hash: Buffer;
  created_at: Date;
  created_by: string;
  expires_at: Date;
}

export interface LoginFailureTable {
  id: GeneratedAlways<number>;
  key: string;
  at: Date;
}

export interface RoleTable {
  id: string;
  name: string;
  permissions: string[];
  created_at: Date;
  updated_at: Date;
}

export interface AuditTable {
  user_agent: string;
  id: string;
  created_at: Date;
  actor_id: string;
  address: string;
  action: string;
  project_id: string;
  target_id: string;
  detail: Json<FreeForm>;
}

export interface IdempotentRequestTable {
  user_id: string;
  path: string;
  key: string;
  body_hash: Buffer;
  reply: Json<unknown>;
  created_at: Date;
}

export interface ProjectTable extends StampColumns {
  id: string;
  name: string;
  description: string;
  bbox: number[];
  properties: Json<FreeForm>;
  default_data_bucket_id: string;
  quota_bytes: number | null;
  quota_objects: number | null;
  max_running_jobs: number | null;
  keep_jobs_days: number | null;
  keep_jobs: number | null;
  base_maps: Defaulted<BaseMap[]>;
  deleted_at: Date | null;
  deleted_by: string | null;
}

export interface MembershipTable extends Omit<StampColumns, 'revision'> {
  project_id: string;
  user_id: string;
  role_id: string;
}

// service settings

export interface ServiceSettingsTable {
  is_only: Generated<boolean>;
  name: Generated<string>;
  lists_public_apps: Generated<boolean>;
  api_origins: Generated<string[]>;
  base_maps: Defaulted<BaseMap[]>;
  revision: Generated<number>;
  updated_at: Generated<Date>;
  updated_by: Generated<string>;
}

// capabilities

export interface CapabilityTable {
  hash: Buffer;
  nonce: Buffer;
  login_hash: Buffer;
  user_id: string;
  project_id: string;
  app_id: string;
  created_at: Date;
  expires_at: Date;
}

// buckets

export interface BucketTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  properties: Json<FreeForm>;
}

export interface ObjectTable extends Omit<StampColumns, 'revision'> {
  project_id: string;
  bucket_id: string;
  key: string;
  id: Generated<string>;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
  folder: GeneratedAlways<string>;
  folded_name: GeneratedAlways<string>;
  revision: Generated<number>;
  moment: Generated<number>;
  content_at: Generated<Date | null>;
  content_by: Generated<string | null>;
}

export interface FolderTable {
  bucket_id: string;
  path: string;
  parent: string | null;
  files: number;
  folders: number;
  objects: number;
  bytes: number;
  created_at: Date;
  updated_at: Date;
}

export interface BlobTable {
  id: string;
  project_id: string;
  size: number;
  sha256: Buffer;
  created_at: Date;
  unneeded_since: Date | null;
}

// uploads

export interface UploadTable {
  id: string;
  project_id: string;
  bucket_id: string | null;
  user_id: string | null;
  job_id: string | null;
  attempt: number | null;
  key: string;
  length: number | null;
  overwrite: boolean;
  metadata: string;
  draft_id: string;
  received: Generated<number>;
  turn: Generated<number>;
  writing: number | null;
  writing_until: Date | null;
  finished_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

// usage

export interface ReservationTable {
  id: string;
  project_id: string;
  bucket_id: string | null;
  bytes: number;
  objects: number;
  upload_id: string | null;
  job_id: string | null;
  /** 9999-12-31: lasts as long as the resource it is for. */
  expires_at: Date;
}

// revisions

export interface ObjectRevisionTable {
  project_id: string;
  object_id: string;
  revision: number;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
  moment: number;
  /** The start of the content that replaced it. */
  until: number;
  created_at: Date;
  created_by: string;
  replaced_at: Date;
  replaced_by: string;
}

export interface DatasourceRevisionTable {
  project_id: string;
  datasource_id: string;
  revision: number;
  cause: string;
  type: string;
  type_properties: Json<FreeForm>;
  source_properties: Json<FreeForm>;
  bucket_id: string | null;
  bucket_key: string | null;
  served_folder: string | null;
  former_names: string[];
  bbox: number[] | null;
  properties: Json<FreeForm>;
  job_id: string | null;
  moment: number;
  until: number | null;
  created_at: Date;
  created_by: string;
  replaced_at: Date | null;
  lineage: Json<StoredLineage> | null;
  facts: ColumnType<DatasourceFacts | null, string | null | undefined, string | null>;
}

/** With what tells whether the data is still complete. */
export interface StoredLineage extends DatasourceLineage {
  /** Keys of the further datasources of the job. */
  furtherKeys: string[];
  /** Of the names and contents of its files. */
  filesDigest: string;
  /** Only of the primary datasource: the file in the same bucket that a job reads which updates it. */
  manifest?: { key: string; sha256: string; recipe: string };
}

export interface KeptUsageTable {
  project_id: string;
  kind: 'revisions' | 'trash' | 'jobFiles';
  objects: number;
  bytes: number;
}

// used by

export interface TaskReferenceTable {
  project_id: string;
  task_id: string;
  role: 'input' | 'output' | 'target' | 'publish';
  bucket_id: string | null;
  bucket_key: string | null;
  datasource_id: string | null;
  app_id: string | null;
  scenario_id: string | null;
  credential_id: string | null;
}

// trash

export interface TrashEntryTable {
  id: string;
  project_id: string;
  type: TrashItem['type'];
  resource_id: string | null;
  name: string;
  bucket_id: string | null;
  owner_id: string;
  job_type: string | null;
  objects: Generated<number>;
  bytes: Generated<number>;
  deleted_at: Date;
  deleted_by: string;
  is_emptied: Generated<boolean>;
}

export interface TrashRowTable {
  entry_id: string;
  position: Generated<number>;
  source: string;
  content: Json<FreeForm>;
}

export interface TrashObjectTable extends Omit<ObjectTable, 'id' | 'folder' | 'folded_name'> {
  entry_id: string;
  id: string;
}

// retention

export interface CleanupTable {
  id: string;
  at: Date;
  project_id: string | null;
  kind: CleanupKind;
  count: number;
  bytes: number;
  detail: Json<FreeForm>;
}

// datasources

export interface DatasourceTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  type: string;
  type_properties: Json<FreeForm>;
  source_properties: Json<FreeForm>;
  bucket_id: string | null;
  bucket_key: string | null;
  served_folder: string | null;
  bbox: number[] | null;
  properties: Json<FreeForm>;
  job_ids: string[];
  publish_task_ids: string[];
  data_revision: Generated<number>;
  primary_id: string | null;
  result_key: string | null;
  former_names: Generated<string[]>;
  data_updated_at: Date;
  data_updated_by: string;
  facts: ColumnType<DatasourceFacts | null, string | null | undefined, string | null>;
  ask_at: Generated<Date | null>;
}

// tasks

export interface TaskTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  labels: Json<string[]>;
  tags: Json<FreeForm>;
  debug_level: number;
  priority: number;
  job_type: string;
  job_version: string;
  schedule: Json<Schedule>;
  properties: Json<FreeForm>;
  parameters: Json<FreeForm>;
  timeout_seconds: number | null;
  next_run_at: Date | null;
  last_job_id: string | null;
}

export interface JobTable extends StampColumns {
  id: string;
  project_id: string;
  task_id: string | null;
  job_type: string;
  type_name: string;
  job_version: string;
  labels: string[];
  band: number;
  priority: number;
  debug_level: number;
  parameters: Json<FreeForm>;
  state: JobState;
  attempt: Generated<number>;
  runner_id: string | null;
  token_hash: Buffer | null;
  lease_until: Date | null;
  lost_leases: Generated<number>;
  not_before: Date | null;
  is_held: Generated<boolean>;
  failures: Generated<number>;
  timeout_seconds: number | null;
  deadline_at: Date | null;
  rejected: Generated<number>;
  repeats: string | null;
  abort_requested: Generated<boolean>;
  progress: Json<JobProgress> | null;
  stages: Json<JobStage[]>;
  parameter_warnings: Json<JobWarning[]>;
  warnings: Json<JobWarning[]>;
  outputs: Json<JobOutput[]>;
  tags: Json<FreeForm>;
  output_files: Json<JobOutputFiles> | null;
  report: Json<FreeForm> | null;
  report_of: Buffer | null;
  about: string | null;
  error_code: string | null;
  error_message: string | null;
  log_seq: Generated<number>;
  log_received: Generated<number>;
  log_counts: Generated<number[]>;
  log_from: Generated<number>;
  start_time: Date | null;
  end_time: Date | null;
  is_limited: Generated<boolean>;
}

export interface EnrolmentTokenTable {
  hash: Buffer;
  expires_at: Date | null;
  id: string | null;
  name: Generated<string>;
  created_at: Generated<Date>;
  created_by: Generated<string>;
}

export interface RunnerTable {
  id: string;
  name: string;
  labels: string[];
  version: string;
  token_hash: Buffer;
  is_embedded: Generated<boolean>;
  seen_at: Date;
  created_at: Date;
  type_names: string[] | null;
  capabilities: Json<RunnerCapabilities> | null;
  stopped_at: Date | null;
}

export interface JobLogTable {
  job_id: string;
  seq: number;
  at: Date;
  level: JobLogEntry['level'];
  message: string;
  data: Json<FreeForm> | null;
  attempt: Generated<number>;
  operation: Generated<number>;
}

export interface JobOperationTable {
  job_id: string;
  attempt: number;
  n: number;
  name: string;
  state: JobOperation['state'];
  runner_name: string;
  start_time: Date;
  end_time: Date | null;
  done: number;
  total: number;
  unit: string | null;
}

export interface JobOutputTable {
  job_id: string;
  attempt: number;
  key: string;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
  created_at: Date;
}

export interface JobOutputPageTable {
  job_id: string;
  page: number;
  outputs: Json<JobOutput[]>;
}

export interface TaskRunTable {
  task_id: string;
  first_at: Date;
  last_at: Date;
}

// job counts

/** The number of jobs of a task is the sum of both columns; see migration 0022. */
export interface JobCountTable {
  task_id: string;
  project_id: string;
  job_type: string;
  state: string;
  jobs: number;
}

// job files

interface JobFileTable {
  project_id: string;
  job_id: string;
  name: string;
  attempt: number;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
  created_at: Date;
}

// events

interface ChangeColumns {
  project_id: string;
  type: ProjectEvent['type'];
  action: ProjectEvent['action'];
  resource_id: string;
  revision: number | null;
  by: string | null;
  owner_id: string | null;
  task_id: string | null;
  state: JobState | null;
  count: number | null;
  at: Date;
}

export interface ProjectChangeTable extends ChangeColumns {
  id: number;
}

export interface ProjectEventTable extends ChangeColumns {
  position: number;
}

// modules

/** Warnings of the last check; null: a module of the app has changed since. */
type Warnings = ColumnType<ProblemDetail[] | null, string | undefined, string>;

export interface ModuleTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  content: Json<FreeForm>;
  properties: Json<FreeForm>;
  warnings: Warnings;
  member_id: string;
}

export interface ModuleDatasourceTable {
  project_id: string;
  module_id: string;
  datasource_id: string;
}

export interface AppTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  map_version: string;
  properties: Json<FreeForm>;
  publish_task_ids: string[];
  is_public: boolean;
  member_id: string;
  slug: Generated<string | null>;
  /** The slug of an app in a deleted project. */
  former_slug: Generated<string | null>;
  frame_origins: Generated<string[]>;
  tools: Generated<string[]>;
  base_maps: Generated<string[]>;
  release_id: Generated<string | null>;
  public_from: Generated<Date | null>;
  public_until: Generated<Date | null>;
  last_release: Generated<number>;
  public_release_id: Generated<string | null>;
  public_set_by: Generated<string | null>;
  warnings: Warnings;
}

export interface AppModuleTable {
  project_id: string;
  app_id: string;
  position: number;
  module_id: string;
}

export interface AppGuestTable {
  project_id: string;
  app_id: string;
  user_id: string;
  created_at: Date;
  created_by: string;
}

// app pictures

export interface AppPictureTable {
  project_id: string;
  app_id: string;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
  width: number;
  height: number;
  created_at: Date;
  created_by: string;
}

// releases

export interface AppReleaseTable {
  id: string;
  project_id: string;
  app_id: string;
  number: number;
  note: string;
  name: string;
  description: string;
  map_version: string;
  engine_version: string;
  modules: ColumnType<Module[], string, never>;
  authors: string[];
  number_of_modules: GeneratedAlways<number>;
  world: Json<FreeForm>;
  warnings: ColumnType<ProblemDetail[], string, never>;
  plugins: ColumnType<Record<string, string>, string, never>;
  tools: ColumnType<string[], readonly string[] | undefined, never>;
  created_at: Date;
  created_by: string;
}

export interface AppReleaseDataTable {
  project_id: string;
  app_id: string;
  release_id: string;
  datasource_id: string;
  revision: number;
  authors: string[];
  /** May be `infinity`. */
  shown_until: Date | number | null;
}

export interface AppReleaseConfigTable {
  release_id: string;
  made_by: string;
  etag: string;
  size: number;
  brotli: Buffer;
  gzip: Buffer;
  hosts: string[];
}

// map plugins

interface MapPluginTable {
  name: string;
  version: string;
  description: string;
  map_version: string;
  size: number;
  number_of_files: number;
  sha256: Buffer;
  created_at: Date;
  created_by: string;
  deleted_at: Date | null;
  has_readme: boolean;
  has_changelog: boolean;
  license: string | null;
}

interface MapPluginFileTable {
  name: string;
  version: string;
  path: string;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
}

// share links

export interface ShareLinkTable extends StampColumns {
  id: string;
  project_id: string;
  app_id: string;
  name: string;
  shows: string;
  token_hash: Buffer;
  password_hash: string | null;
  expires_at: Date | null;
  max_uses: number | null;
  use_count: Generated<number>;
  last_used_at: Generated<Date | null>;
  allowed_origins: string[];
}

export interface ShareVisitTable {
  hash: Buffer;
  link_id: string;
  created_at: Date;
  expires_at: Date;
  opened_at: Date | null;
}

// scenarios

export interface ScenarioTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  properties: Json<FreeForm>;
  config: Json<FreeForm>;
  is_public: boolean;
  app_id: string | null;
  publish_task_ids: string[];
  member_id: string;
}

export interface ScenarioModuleTable {
  project_id: string;
  scenario_id: string;
  position: number;
  module_id: string;
}

// credentials

/** Addresses of credentials, by type. */
export interface Target {
  readonly folder?: string;
  readonly host?: string;
  readonly port?: number;
  readonly hostKey?: string;
  readonly isSecure?: boolean;
  readonly endpoint?: string;
  readonly region?: string;
  readonly bucket?: string;
  readonly isPathStyle?: boolean;
  readonly prefix?: string;
  readonly gzip?: boolean;
  readonly params?: string[];
}

export interface LoginCredentialTable extends StampColumns {
  id: string;
  user_id: string;
  name: string;
  description: string;
  type: LoginType;
  login: Json<LoginFacts>;
  secret: Buffer;
}

export interface CredentialTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  type: CredentialType;
  target: Json<Target>;
  login: Json<LoginFacts>;
  secret: Buffer | null;
  login_credential_id: string | null;
}

export interface SecretKeyTable {
  id: string;
  created_at: Date;
}

export interface PublishRunTable {
  job_id: string;
  attempt: number;
  place: string;
}

// bundles

export interface BundleContentTable {
  job_id: string;
  attempt: number;
  content: Json<object>;
  created_at: Date;
}

// used by raw statements

interface InspectionTable {
  project_id: string;
  report_of: Buffer;
  sha256: Buffer | null;
  name: string;
  format: string | null;
  format_title: string | null;
  kind: string | null;
  summary: string | null;
  report: Json<FreeForm>;
  created_at: Date;
}

interface InspectionSampleTable {
  project_id: string;
  report_of: Buffer;
  position: number;
  layer: string;
  is_whole: boolean;
  features: Json<unknown>;
}

/** When the queue last served a project, as a number that grows with each turn. */
interface QueueTurnTable {
  project_id: string;
  turn: Generated<number>;
}

/** Number and bytes of the blobs of a project: the sum over its shards. */
interface StoredTable {
  project_id: string;
  shard: number;
  bytes: number;
  blobs: number;
}

interface TrashAppPictureTable extends AppPictureTable {
  entry_id: string;
}

interface TrashJobFileTable extends JobFileTable {
  entry_id: string;
}
