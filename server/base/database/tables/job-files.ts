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

export interface JobFileTables {
  job_file: JobFileTable;
}
