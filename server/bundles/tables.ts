import type { Json } from '../database/tables.ts';
import type { Contents } from './contents.ts';

export interface BundleContentTable {
  job_id: string;
  attempt: number;
  content: Json<Contents>;
  created_at: Date;
}

export interface BundleTables {
  bundle_content: BundleContentTable;
}
