import type { CredentialType } from '@platen/contract/credentials';
import type { LoginFacts, LoginType } from '@platen/contract/login-credentials';
import type { Json, StampColumns } from './identity.ts';

/** Where credentials lead, by their type. */
export interface Target {
  readonly folder?: string;
  readonly host?: string;
  readonly port?: number;
  readonly hostKey?: string;
  readonly isSecure?: boolean;
  readonly endpoint?: string;
  readonly region?: string;
  readonly bucket?: string;
  readonly isPathStyle?: boolean;
  readonly prefix?: string;
}

export interface LoginCredentialTable extends StampColumns {
  id: string;
  user_id: string;
  name: string;
  description: string;
  type: LoginType;
  login: Json<LoginFacts>;
  secret: Buffer;
}

export interface CredentialTable extends StampColumns {
  id: string;
  project_id: string;
  name: string;
  description: string;
  type: CredentialType;
  target: Json<Target>;
  login: Json<LoginFacts>;
  secret: Buffer | null;
  login_credential_id: string | null;
}

export interface SecretKeyTable {
  id: string;
  created_at: Date;
}

export interface PublishRunTable {
  job_id: string;
  attempt: number;
  place: string;
}

export interface CredentialTables {
  login_credential: LoginCredentialTable;
  credential: CredentialTable;
  secret_key: SecretKeyTable;
  publish_run: PublishRunTable;
}
