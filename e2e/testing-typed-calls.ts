import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const compiler = fileURLToPath(new URL('../node_modules/ts7/bin/tsc', import.meta.url));

/**
 * What users of a generated client write, with options of datasources, jobs and schedules. Each mistake is marked by
 * `@ts-expect-error`, which itself is an error where the types would let the mistake pass.
 */
const typedOptions = `
import type { NewDatasource, NewTask, Schedule, TaskChange } from './client/types.gen.ts';

const sourceProperties = { type: 'external', url: 'https://example.org/wms' } as const;
const input = { type: 'internal', dataBucketId: 'b', dataBucketKey: 'roads.gpkg' } as const;
const datasource = { command: 'create', name: 'Roads' } as const;

export const datasources: NewDatasource[] = [
  { name: 'a', type: 'wms', sourceProperties, typeProperties: { layers: ['roads'], version: '1.3.0' } },
  { name: 'a', type: 'tileset', sourceProperties, typeProperties: { screenSpaceError: 8 } },
  // @ts-expect-error the version is none
  { name: 'a', type: 'wms', sourceProperties, typeProperties: { version: '2' } },
  // @ts-expect-error an option of another type
  { name: 'a', type: 'geojson', sourceProperties, typeProperties: { tileMatrixSetID: 'x' } },
  // @ts-expect-error misspelt
  { name: 'a', type: 'tileset', sourceProperties, typeProperties: { screenSpaceErrr: 8 } },
  // @ts-expect-error no address
  { name: 'a', type: 'wms', sourceProperties: { type: 'external' } },
];

export const tasks: NewTask[] = [
  {
    name: 'a',
    jobType: 'platenTilesVector',
    parameters: { datasource, options: { input, tiling: { preset: 'points', maxZoom: 12 } } },
  },
  { name: 'a', jobType: 'platenPublishApp', parameters: { options: { appId: 'a', credentialsId: 'c', gzip: true } } },
  // @ts-expect-error not a number
  { name: 'a', jobType: 'platenTilesVector', parameters: { datasource, options: { input, tiling: { maxZoom: 'x' } } } },
  // @ts-expect-error misspelt
  { name: 'a', jobType: 'platenTilesVector', parameters: { datasource, options: { input, tilling: {} } } },
  // @ts-expect-error the input is missing
  { name: 'a', jobType: 'platenTilesVector', parameters: { datasource, options: {} } },
  // @ts-expect-error no such job type
  { name: 'a', jobType: 'platenTiles', parameters: {} },
];

export const changes: TaskChange[] = [
  { parameters: { options: { tiling: { maxZoom: 9 } } } },
  // @ts-expect-error no such zoom
  { parameters: { options: { tiling: { maxZoom: 'high' } } } },
];

export const schedules: Schedule[] = [
  { type: 'immediate' },
  { type: 'scheduled', scheduled: '2026-12-01T08:00:00Z' },
  { type: 'cron', cron: '0 4 * * *', timezone: 'Europe/Berlin', overlap: 'queue' },
  // @ts-expect-error no time
  { type: 'scheduled' },
  // @ts-expect-error only cron runs overlap
  { type: 'immediate', overlap: 'queue' },
];
`;

/** A call of each operation with its example, and a value of the type of its answer. */
function callsOf(operations: readonly DescribedOperation[]): string {
  const calls = operations.map(({ operationId, parameters, requestBody, responses }) => {
    const given = (place: string) =>
      parameters.flatMap(({ in: where, name, example }) =>
        where === place && example !== undefined ? [[name, example] as const] : [],
      );
    const body = requestBody && bodyText(requestBody.content);
    const parts = [
      `path: ${JSON.stringify(Object.fromEntries(given('path')))}`,
      `query: ${JSON.stringify(Object.fromEntries(given('query')))}`,
      ...(body === undefined ? [] : [`body: ${body}`]),
    ].filter((part) => !part.endsWith(': {}') || part.startsWith('body'));
    const responseType = operationId[0]!.toUpperCase() + operationId.slice(1);
    const answers = Object.entries(responses).flatMap(([status, { content = {} }]) => {
      const { example } = content['application/json'] ?? {};
      return example === undefined
        ? []
        : [`answers.push(${JSON.stringify(example)} satisfies types.${responseType}Responses[${status}]);`];
    });
    return [`calls.push(() => sdk.${operationId}({ ${parts.join(', ')} }));`, ...answers].join('\n');
  });
  return `
import * as sdk from './client/sdk.gen.ts';
import type * as types from './client/types.gen.ts';

export const calls: (() => unknown)[] = [];
export const answers: unknown[] = [];
${calls.join('\n')}
`;
}

/** An OpenAPI document, as far as calls are made of it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly example?: unknown }>>;

function bodyText(content: Content): string | undefined {
  if (content['multipart/form-data']) return '{ file: new Blob([]) }';
  const json = content['application/json'];
  if (!json) return 'new Blob([])';
  return json.example === undefined ? undefined : JSON.stringify(json.example);
}

/** Compiles the generated client of a folder with calls of it, as strictly as it goes. @throws the errors */
export async function compileTypedCalls(folder: string, document: ApiDocument): Promise<void> {
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  await writeFile(join(folder, 'options.ts'), typedOptions);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  await writeFile(join(folder, 'calls.ts'), callsOf(operations));
  const config = join(folder, 'tsconfig.json');
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', config], { maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    throw new Error(`The calls do not compile:\n${stdout?.slice(0, 20_000)}`, { cause: error });
  }
}
