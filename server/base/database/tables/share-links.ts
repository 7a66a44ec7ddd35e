import type { Generated } from 'kysely';
import type { StampColumns } from './identity.ts';

export interface ShareLinkTable extends StampColumns {
  id: string;
  project_id: string;
  app_id: string;
  name: string;
  shows: string;
  token_hash: Buffer;
  password_hash: string | null;
  expires_at: Date | null;
  max_uses: number | null;
  use_count: Generated<number>;
  last_used_at: Generated<Date | null>;
  allowed_origins: string[];
}

export interface ShareVisitTable {
  hash: Buffer;
  link_id: string;
  created_at: Date;
  expires_at: Date;
  opened_at: Date | null;
}

export interface ShareLinkTables {
  share_link: ShareLinkTable;
  share_visit: ShareVisitTable;
}
