import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import type { FreeForm } from '@platen/contract/schema';
import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Json } from './identity.ts';

export interface AppReleaseTable {
  id: string;
  project_id: string;
  app_id: string;
  number: number;
  note: string;
  name: string;
  description: string;
  map_version: string;
  engine_version: string;
  modules: ColumnType<Module[], string, never>;
  authors: string[];
  number_of_modules: GeneratedAlways<number>;
  world: Json<FreeForm>;
  warnings: ColumnType<ProblemDetail[], string, never>;
  plugins: ColumnType<Record<string, string>, string, never>;
  created_at: Date;
  created_by: string;
}

export interface AppReleaseDataTable {
  project_id: string;
  app_id: string;
  release_id: string;
  datasource_id: string;
  revision: number;
  authors: string[];
  /** May be infinite. */
  shown_until: Date | number | null;
}

export interface AppReleaseConfigTable {
  release_id: string;
  made_by: string;
  etag: string;
  size: number;
  brotli: Buffer;
  gzip: Buffer;
  hosts: string[];
}

export interface ReleaseTables {
  app_release: AppReleaseTable;
  app_release_data: AppReleaseDataTable;
  app_release_config: AppReleaseConfigTable;
}
