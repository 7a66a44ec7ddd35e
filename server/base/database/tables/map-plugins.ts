interface MapPluginTable {
  name: string;
  version: string;
  description: string;
  map_version: string;
  size: number;
  number_of_files: number;
  sha256: Buffer;
  created_at: Date;
  created_by: string;
  deleted_at: Date | null;
}

interface MapPluginFileTable {
  name: string;
  version: string;
  path: string;
  blob_id: string;
  size: number;
  sha256: Buffer;
  content_type: string;
}

export interface MapPluginTables {
  map_plugin: MapPluginTable;
  map_plugin_file: MapPluginFileTable;
}
