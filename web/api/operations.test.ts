import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const openapi = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};

/** Operations that the interface does not use, and why. */
const exceptions: Readonly<Record<string, string>> = {
  getProjectDatasourceStyleExport: 'the style form exports the style that is edited there',
  getLogout: 'ends the token of a script; the interface ends its session by deleteSession',
  deleteProjectAppPublish: 'a publication is cancelled as the job that it is',
  deleteProjectDatasourcePublish: 'a publication is cancelled as the job that it is',
  deleteProjectScenarioPublish: 'a publication is cancelled as the job that it is',
  getIamRole: 'the list of roles gives each of them whole',
  getIamSuperUser: 'the lists of users and of super users show who is one',
  postMapPluginUpload: 'the interface reads the reply of postMapPlugin',
  postMapPluginUploadBundle: 'the interface uploads one plugin at a time',
  getAdminAddons: 'the list is always empty',
  getProjectAddons: 'the list is always empty',
  getAdminRunDataBucketCleanup: 'the interface runs the clean-up by postAdminCleanup',
  getAdminLegacyDatasourceCleanup: 'the list is always empty',
  putAdminDataBucketCleanupTask: 'the clean-up always runs every hour',
  putAdminLegacyDatasourceCleanup: 'there are no such files',
  getMapPlugin: 'the list of plugins gives each of them whole',
  getProjectJobOperationLog: 'the log of a job has that of each operation, in pages',
  getProjectJobOperationOutputs: 'the last operation has the outputs of its job',
  getProjectJobOperationSets: 'each operation is a set of its own',
  getSession: 'the list of sessions gives the present one, too',
  getUser: 'the list of users gives each of them whole',
  postLogin: 'for scripts; the interface signs in by postSession',
  headProjectDataBucketTus: 'asked by tus-js-client at the address that postProjectDataBucketTus gives',
  optionsProjectDataBucketTus: 'asked by tus-js-client where it has to know what the service can do',
  patchProjectDataBucketTus: 'sent by tus-js-client to the address that postProjectDataBucketTus gives',
};

/** Runners call these with tokens of their own. */
const isOfRunners = (operation: string) => /^(get|put|post)Runner/.test(operation);

const operations = Object.values(openapi.paths)
  .flatMap((path) => Object.values(path).flatMap(({ operationId }) => operationId ?? []))
  .toSorted();

/** The operations that the interface names: called by the client, or as the address of a link or an upload. */
function namedOperations(): Set<string> {
  const files = globSync('**/*.{vue,ts}', {
    cwd: web,
    exclude: ['dist*/**', 'node_modules/**', '**/*.test.ts'],
  });
  const texts = files
    .filter((file) => !file.startsWith('dist'))
    .map((file) => readFileSync(`${web}/${file}`, 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\bapi\s*\.\s*(\w+)|\baddressOf\(\s*'(\w+)'/g)].map((match) => match[1] ?? match[2]!),
    ),
  );
}

test('every operation of the API is reachable in the interface', () => {
  const named = namedOperations();
  assert.ok(operations.length > 200 && named.size > 20);
  const missing = operations.filter((one) => !named.has(one) && !isOfRunners(one) && !(one in exceptions));
  assert.deepEqual(missing, []);
});

test('the exceptions are still exceptions, and the interface names no operation that is gone', () => {
  const named = namedOperations();
  assert.deepEqual(
    Object.keys(exceptions).filter((one) => named.has(one) || !operations.includes(one)),
    [],
  );
  assert.deepEqual(
    [...named].filter(
      (one) => /^(get|put|post|delete|head|patch|options)[A-Z]/.test(one) && !operations.includes(one),
    ),
    [],
  );
});
