import type { CleanupKind } from '@platen/contract/cleanups';
import type { FreeForm } from '@platen/contract/schema';
import type { Json } from './identity.ts';

export interface CleanupTable {
  id: string;
  at: Date;
  project_id: string | null;
  kind: CleanupKind;
  count: number;
  bytes: number;
  detail: Json<FreeForm>;
}

export interface RetentionTables {
  cleanup: CleanupTable;
}
