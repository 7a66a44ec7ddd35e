import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Inspection } from '@platen/contract/inspect';
import type { TaskSpec } from '@platen/processing/job-type';
import { catalog } from '@platen/processing/catalog';
import { Type } from 'typebox';
import { afterFile } from '../../../checks/clean-up.ts';
import { jobTypesModule } from '../../../web/build/job-types-plugin.ts';
import { formWords, jobMessages, readJobFolders } from '../../../web/build/job-words.ts';
import { planOf } from '../../../web/quick-publish/plan.ts';
import { sectionsOf } from '../../../web/schema-form/fields.ts';
import { textsOf } from '../../../web/schema-form/field-texts.ts';
import { findProblems } from '../../../web/schema-form/problems.ts';
import type { Schema } from '../../../web/schema-form/schema.ts';
import { firstParameters } from '../../../web/tasks/task-draft.ts';
import { startService } from '../../testing.ts';
import { saveReport } from '../inspect/store.ts';
import { findTarget } from '../inspect/target.ts';
import { projectWithCities } from '../tasks/testing.ts';

/** All that is known of this job type anywhere. */
const thinPoints = {
  name: 'ThinPoints',
  folder: 'thin-points',
  version: 1,
  title: 'Thin points',
  description: 'Keeps one point of each cell.',
  permission: 'accessObjectJob',
  purpose: 'prepare',
  icon: 'Grip',
  options: Type.Object({
    cell: Type.Optional(
      Type.Object(
        {
          metres: Type.Optional(
            Type.Number({ minimum: 0.1, title: 'Size', description: 'Width.', default: 2, 'x-unit': 'm' }),
          ),
        },
        { title: 'Cells' },
      ),
    ),
  }),
  datasourceType: 'tileset',
  phases: { thin: { unit: 'cells', share: 1 } },
  mapsOf: ['pointCloud'],
  suggest: ({ kind, layers }) =>
    kind === 'pointCloud'
      ? {
          confidence: 0.9,
          reason: `${layers.length} layer is very dense`,
          options: { cell: { metres: 3 } },
          expectedSeconds: 7,
        }
      : undefined,
} as const satisfies TaskSpec;
const words = {
  en: {
    types: { ThinPoints: { suggestion: { title: 'Thin out', text: 'Fewer points' } } },
    phases: { thin: 'Thinning' },
  },
  de: {
    types: { ThinPoints: { title: 'Punkte ausdünnen', description: 'Behält einen Punkt je Zelle.' } },
    options: { cell: { title: 'Zellen' }, 'cell.metres': { title: 'Größe', help: 'Breite.' } },
    phases: { thin: 'Ausdünnen' },
  },
};

const types = catalog as Record<string, TaskSpec>;
types['ThinPoints'] = thinPoints;
afterFile(() => delete types['ThinPoints']);

const service = await startService();
const { admin, context } = service;
const { projectId, bucketId } = await projectWithCities(service);
const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
const folders = [
  ...readJobFolders().filter(({ name }) => name !== thinPoints.folder),
  { name: thinPoints.folder, specs: [thinPoints], words },
];

async function inspect(kind: 'pointCloud' | 'raster'): Promise<Inspection> {
  const { reportOf, sha256, name } = await findTarget(context.db, bucketId, input.dataBucketKey);
  const layer = { name, geometryTypes: [], isEstimated: false, isBboxEstimated: false, fields: [] };
  const report = { format: 'las', kind, layers: [layer], issues: [], uses: [] };
  await saveReport(context.db, { projectId, reportOf, sha256, name, report, summary: '', now: new Date() });
  const params = { projectId, dataBucketId: bucketId };
  const answer = await admin.postProjectDataBucketInspect({ params, query: { key: name } });
  assert.ok(!('jobId' in answer));
  return answer;
}

test('the API lists the type, describes its parameters, and creates tasks of it', async () => {
  const { items } = await admin.getJobTypes();
  const found = items.find(({ name }) => name === 'ThinPoints')!;
  assert.deepEqual(
    [found.jobType, found.title, found.datasourceTypes],
    ['platenThinPoints', 'Thin points', ['tileset']],
  );
  const datasource = { command: 'create', name: 'Fewer' };
  const create = (options: object) =>
    admin.postProjectTask({
      params: { projectId },
      body: {
        name: 'Thin',
        jobType: 'xyThinPoints',
        parameters: { datasource, options: { input, ...options } },
      },
    });
  const task = await create({});
  assert.ok(task.lastJobId);
  await assert.rejects(create({ cell: { metres: 0 } }), { status: 400, message: /options\/cell\/metres/ });
});

test('an inspection suggests the type with its options for data that suits it, also for stored reports', async () => {
  const { uses, suggestion } = await inspect('pointCloud');
  const reason = '1 layer is very dense';
  const [best] = uses;
  assert.deepEqual(best, {
    kind: 'job',
    type: 'platenThinPoints',
    confidence: 0.9,
    reason,
    expectedSeconds: 7,
  });
  assert.deepEqual(suggestion, {
    jobType: 'platenThinPoints',
    reason,
    expectedSeconds: 7,
    options: { input, cell: { metres: 3 } },
  });
  assert.deepEqual((await inspect('raster')).uses, []);
});

test('the interface draws its form, in both languages, and publishes such data by it', async () => {
  const type = await admin.getJobType({ params: { jobType: 'platenThinPoints' } });
  const schema = type.parameters as Schema;
  const inspection = await inspect('pointCloud');
  const section = sectionsOf(schema).find(({ field }) => field?.key === 'cell')!;
  const metres = section.fields[0]!;
  const path = [...section.path, 'metres'];
  const german = formWords(`${import.meta.dirname}/../../../web`, folders, 'de').types['ThinPoints']!;
  assert.deepEqual(
    [textsOf(metres, path, () => undefined), textsOf(metres, path, (at) => german[at])],
    [
      { title: 'Size', help: 'Width.', unit: 'm' },
      { title: 'Größe', help: 'Breite.', unit: 'm' },
    ],
  );
  const file = { dataBucketId: bucketId, dataBucketKey: input.dataBucketKey };
  const parameters = firstParameters(type, file, inspection);
  assert.deepEqual(parameters, {
    datasource: { command: 'create', name: 'Cities' },
    options: { input, cell: { metres: 3 } },
  });
  assert.deepEqual(findProblems(schema, parameters), []);
  const plan = planOf(inspection, { file, name: 'Points', mapJob: 'platenThinPoints' });
  assert.ok(typeof plan === 'object' && plan.way === 'task' && plan.body.jobType === 'platenThinPoints');
});

test('the interface knows its icon, purpose, names and phases', () => {
  assert.match(jobTypesModule(folders), /import \{ [^}]*\bGrip\b[^}]* \} from '@lucide\/vue'/);
  assert.match(
    jobTypesModule(folders),
    /ThinPoints: \{ purpose: 'prepare', icon: Grip, mapsOf: \["pointCloud"\] \}/,
  );
  const textsIn = (language: 'en' | 'de') => {
    const {
      'job-names': names,
      tasks,
      jobs,
    } = jobMessages(folders, language) as Record<string, Record<string, Record<string, string>>>;
    return [
      names?.['types']?.['ThinPoints'],
      tasks?.['typeTexts']?.['ThinPoints'],
      jobs?.['phases']?.['thin'],
    ];
  };
  assert.deepEqual(textsIn('en'), ['Thin points', 'Keeps one point of each cell.', 'Thinning']);
  assert.deepEqual(textsIn('de'), ['Punkte ausdünnen', 'Behält einen Punkt je Zelle.', 'Ausdünnen']);
});
