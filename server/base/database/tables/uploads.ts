import type { Generated } from 'kysely';

export interface UploadTable {
  id: string;
  project_id: string;
  bucket_id: string;
  user_id: string;
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

export interface UploadTables {
  upload: UploadTable;
}
