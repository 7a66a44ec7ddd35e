import type {
  JobLogEntry,
  JobOutput,
  JobProgress,
  JobStage,
  JobState,
  JobWarning,
} from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import type { Schedule } from '@platen/contract/tasks';
import type { Generated } from 'kysely';
import type { Json, StampColumns } from '../database/tables.ts';

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
  next_run_at: Date | null;
  last_job_id: string | null;
}

export interface JobTable extends StampColumns {
  id: string;
  project_id: string;
  task_id: string | null;
  job_type: string;
  job_version: string;
  labels: string[];
  priority: number;
  debug_level: number;
  parameters: Json<FreeForm>;
  state: JobState;
  attempt: Generated<number>;
  runner_id: string | null;
  token_hash: Buffer | null;
  lease_until: Date | null;
  lost_leases: Generated<number>;
  abort_requested: Generated<boolean>;
  progress: Json<JobProgress> | null;
  stages: Json<JobStage[]>;
  parameter_warnings: Json<JobWarning[]>;
  warnings: Json<JobWarning[]>;
  outputs: Json<JobOutput[]>;
  report: Json<FreeForm> | null;
  report_of: Buffer | null;
  error_code: string | null;
  error_message: string | null;
  log_seq: Generated<number>;
  log_received: Generated<number>;
  start_time: Date | null;
  end_time: Date | null;
}

export interface EnrolmentTokenTable {
  hash: Buffer;
  expires_at: Date | null;
}

export interface RunnerTable {
  id: string;
  name: string;
  labels: string[];
  version: string;
  token_hash: Buffer;
  seen_at: Date;
  created_at: Date;
}

export interface JobLogTable {
  job_id: string;
  seq: number;
  at: Date;
  level: JobLogEntry['level'];
  message: string;
  data: Json<FreeForm> | null;
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

export interface TaskTables {
  task: TaskTable;
  job: JobTable;
  runner: RunnerTable;
  enrolment_token: EnrolmentTokenTable;
  job_log: JobLogTable;
  job_output: JobOutputTable;
}
