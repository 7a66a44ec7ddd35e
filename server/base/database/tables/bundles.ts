import type { Json } from './identity.ts';
import type { Contents } from '../../../publishing/bundles/contents.ts';

export interface BundleContentTable {
  job_id: string;
  attempt: number;
  content: Json<Contents>;
  created_at: Date;
}

export interface BundleTables {
  bundle_content: BundleContentTable;
}
