import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import { type Failure, unusableAt } from '../../base/failure.ts';
import type { DatasourceTarget } from './check-parameters.ts';
import type { ReferenceScope } from './reference-scope.ts';

interface FoundTarget {
  readonly id: string;
  readonly type: string;
  readonly created_by: string;
}

/**
 * Finds the datasource that jobs of a type are to update or overwrite.
 * @throws Failure `unusable_reference` if there is none of a type that they create, or several of this name
 */
export async function findTarget(
  { db, projectId }: Pick<ReferenceScope, 'db' | 'projectId'>,
  target: DatasourceTarget,
  spec: TaskSpec,
): Promise<FoundTarget> {
  const types = datasourceTypesOf(spec);
  const all = db
    .selectFrom('datasource')
    .select(['id', 'type', 'created_by'])
    .where('project_id', '=', projectId);
  if (target.datasourceId === undefined) {
    const rows = await all.where('name', '=', target.name).where('type', 'in', types).limit(2).execute();
    if (rows.length === 1) return rows[0]!;
    throw notOne(target.name, { types, count: rows.length });
  }
  const pointer = '/parameters/datasource/datasourceId';
  const row = await all.where('id', '=', target.datasourceId).executeTakeFirst();
  if (!row) throw unusableAt(pointer, 'There is no such datasource in this project.');
  if (types.includes(row.type)) return row;
  throw unusableAt(pointer, `The datasource is of type ${row.type}; this job creates ${types.join(' or ')}.`);
}

function notOne(name: string, { types, count }: { types: readonly string[]; count: number }): Failure {
  const kind = types.join(' or ');
  return unusableAt(
    '/parameters/datasource/name',
    count === 0
      ? `The project has no datasource of type ${kind} named “${name}”.`
      : `The project has several datasources of type ${kind} named “${name}”. Choose one by its datasourceId.`,
  );
}
