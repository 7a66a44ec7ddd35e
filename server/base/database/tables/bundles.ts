import type { Json } from './identity.ts';

export interface BundleContentTable {
  job_id: string;
  attempt: number;
  content: Json<object>;
  created_at: Date;
}

export interface BundleTables {
  bundle_content: BundleContentTable;
}
