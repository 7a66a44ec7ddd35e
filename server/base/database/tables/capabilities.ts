export interface CapabilityTable {
  hash: Buffer;
  nonce: Buffer;
  login_hash: Buffer;
  user_id: string;
  project_id: string;
  app_id: string;
  created_at: Date;
  expires_at: Date;
}

export interface CapabilityTables {
  capability: CapabilityTable;
}
