/** See migration 0022: how many jobs of tasks there are is the sum of both. */
export interface JobCountTable {
  task_id: string;
  project_id: string;
  job_type: string;
  state: string;
  jobs: number;
}

export interface JobCountTables {
  job_count: JobCountTable;
  job_count_change: JobCountTable;
}
