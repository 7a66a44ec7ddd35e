import type { MapPluginVersion } from '@platen/contract/map-plugins';
import { findEngine } from '@platen/viewer/engines';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { choose, pluginRequestOf, type PluginItem } from './choose.ts';

interface AppRow {
  id: string;
  name: string;
  map_version: string;
  item: PluginItem;
}

interface Use {
  readonly what: 'app' | 'release';
  readonly name: string;
}

/** The apps and releases that are shown with one of these versions of a plugin. `all` are those that there are. */
export async function findUses(
  db: Db,
  name: string,
  versions: readonly string[],
  all: readonly MapPluginVersion[],
): Promise<Use[]> {
  const apps = await findAppsWith(db, name);
  const using = apps.filter(({ map_version, item }) => {
    const request = pluginRequestOf(item);
    const engine = findEngine(map_version);
    if (!('range' in request) || !engine) return false;
    const version = choose(all, request.range, engine.version);
    return version !== undefined && versions.includes(version);
  });
  const byId = new Map(using.map((app) => [app.id, { what: 'app', name: app.name } as const]));
  return [...byId.values(), ...(await findReleasesWith(db, name, versions))];
}

async function findAppsWith(db: Db, name: string): Promise<AppRow[]> {
  const { rows } = await sql<AppRow>`
    select a.id, a.name, a.map_version, item from app a
    join app_module am on am.app_id = a.id join module m on m.id = am.module_id
    cross join ${items} where ${isNamed(name)} order by a.id`.execute(db);
  return rows;
}

/** Marks the warnings of apps that name the plugin as outdated; they are checked again when they are read next. */
export async function outdateWarnings(db: Db, name: string): Promise<void> {
  await sql`update app set warnings = 'null' where warnings::text <> 'null' and id in (
    select am.app_id from app_module am join module m on m.id = am.module_id
    cross join ${items} where ${isNamed(name)})`.execute(db);
}

const items = sql`json_array_elements(
  case json_typeof(m.content -> 'plugins') when 'array' then m.content -> 'plugins' else '[]' end) item`;

const isNamed = (name: string) => sql`json_typeof(item) = 'object' and item ->> 'name' = ${name}`;

async function findReleasesWith(db: Db, name: string, versions: readonly string[]): Promise<Use[]> {
  const { rows } = await sql<{ name: string; number: number }>`
    select name, number from app_release where ${pins(name, versions)} order by id`.execute(db);
  return rows.map((row) => ({ what: 'release', name: `${row.name}, ${row.number}` }));
}

function pins(name: string, versions: readonly string[]) {
  return sql`exists (select from json_each_text(plugins) p
    where starts_with(p.key, ${`${name}@`}) and p.value = any(${[...versions]}::text[]))`;
}
