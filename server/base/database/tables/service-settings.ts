import type { Generated } from 'kysely';

export interface ServiceSettingsTables {
  service_settings: {
    is_only: Generated<boolean>;
    name: Generated<string>;
    lists_public_apps: Generated<boolean>;
    revision: Generated<number>;
    updated_at: Generated<Date>;
    updated_by: Generated<string>;
  };
}
