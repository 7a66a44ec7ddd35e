import type { ColumnType } from 'kysely';
import type { FreeForm } from '@platen/contract/schema';

/** A `json` column: read as a value, written as text, so that keys keep their order. */
export type Json<T> = ColumnType<T, string, string>;

/** The columns that every resource has. */
export interface StampColumns {
  revision: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
}

export interface UserTable extends StampColumns {
  id: string;
  username: string;
  email: string;
  password_hash: string;
  is_active: boolean;
  is_admin: boolean;
  is_super_user: boolean;
}

export interface TokenTable {
  hash: Buffer;
  user_id: string;
  kind: 'bearer' | 'session';
  created_at: Date;
  expires_at: Date;
}

export interface LoginFailureTable {
  id: ColumnType<string, never, never>;
  key: string;
  at: Date;
}

export interface RoleTable {
  id: string;
  name: string;
  permissions: string[];
  created_at: Date;
  updated_at: Date;
}

export interface AuditTable {
  id: string;
  created_at: Date;
  actor_id: string;
  address: string;
  action: string;
  project_id: string;
  target_id: string;
  detail: Json<FreeForm>;
}

export interface IdempotentRequestTable {
  user_id: string;
  path: string;
  key: string;
  body_hash: Buffer;
  reply: Json<unknown>;
  created_at: Date;
}

export interface ProjectTable extends StampColumns {
  id: string;
  name: string;
  description: string;
  bbox: number[];
  properties: Json<FreeForm>;
  default_data_bucket_id: string;
  quota_bytes: number | null;
  quota_objects: number | null;
  max_running_jobs: number | null;
  keep_jobs_days: number | null;
  keep_jobs: number | null;
}

export interface MembershipTable extends Omit<StampColumns, 'revision'> {
  project_id: string;
  user_id: string;
  role_id: string;
}

export interface IdentityTables {
  user_account: UserTable;
  token: TokenTable;
  login_failure: LoginFailureTable;
  role: RoleTable;
  audit_entry: AuditTable;
  idempotent_request: IdempotentRequestTable;
  project: ProjectTable;
  membership: MembershipTable;
}
