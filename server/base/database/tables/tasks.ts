import type {
  JobLogEntry,
  JobOperation,
  JobOutput,
  JobProgress,
  JobStage,
  JobState,
  JobWarning,
} from '@platen/contract/jobs';
import type { RunnerCapabilities } from '@platen/contract/runner-registration';
import type { FreeForm } from '@platen/contract/schema';
import type { Schedule } from '@platen/contract/schedules';
import type { Generated } from 'kysely';
import type { Json, StampColumns } from './identity.ts';

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

export interface TaskRunTable {
  task_id: string;
  first_at: Date;
  last_at: Date;
}

export interface TaskTables {
  task: TaskTable;
  task_run: TaskRunTable;
  job: JobTable;
  runner: RunnerTable;
  enrolment_token: EnrolmentTokenTable;
  job_log: JobLogTable;
  job_operation: JobOperationTable;
  job_output: JobOutputTable;
}
