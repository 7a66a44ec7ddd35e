import type { FreeForm } from '@platen/contract/schema';
import type { Json } from './identity.ts';

export interface ObjectRevisionTable {
  project_id: string;
  object_id: string;
  revision: number;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
  moment: number;
  /** The moment of the content that came in its place. */
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
}

export interface KeptUsageTable {
  project_id: string;
  kind: 'revisions' | 'trash' | 'jobFiles';
  objects: number;
  bytes: number;
}

export interface RevisionTables {
  object_revision: ObjectRevisionTable;
  datasource_revision: DatasourceRevisionTable;
  kept_usage: KeptUsageTable;
}
