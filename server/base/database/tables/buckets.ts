import type { FreeForm } from '@platen/contract/schema';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, StampColumns } from './identity.ts';

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

export interface BucketTables {
  data_bucket: BucketTable;
  object: ObjectTable;
  folder: FolderTable;
  blob: BlobTable;
}
