import type { TrashItem } from '@platen/contract/trash';
import type { FreeForm } from '@platen/contract/schema';
import type { Generated } from 'kysely';
import type { ObjectTable } from './buckets.ts';
import type { Json } from './identity.ts';

export interface TrashEntryTable {
  id: string;
  project_id: string;
  type: TrashItem['type'];
  resource_id: string | null;
  name: string;
  bucket_id: string | null;
  owner_id: string;
  job_type: string | null;
  objects: Generated<number>;
  bytes: Generated<number>;
  deleted_at: Date;
  deleted_by: string;
  is_emptied: Generated<boolean>;
}

export interface TrashRowTable {
  entry_id: string;
  position: Generated<number>;
  source: string;
  content: Json<FreeForm>;
}

export interface TrashObjectTable extends Omit<ObjectTable, 'id' | 'folder'> {
  entry_id: string;
  id: string;
}

export interface TrashTables {
  trash_entry: TrashEntryTable;
  trash_row: TrashRowTable;
  trash_object: TrashObjectTable;
}
