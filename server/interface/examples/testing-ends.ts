import type { Recorder } from './testing-recorder.ts';

/** What restores and deletes, last. */
export async function recordEnds({ call, ids }: Recorder): Promise<void> {
  await call('postProjectDataBucketObjectRevisionRestore', {
    path: { revision: '1' },
    query: { key: 'piers.geojson' },
  });
  const tiles = { datasourceId: ids['tilesId']!, revision: '1' };
  await call('postProjectDatasourceRevisionRestore', { path: tiles });
  for (const name of [
    'deleteProjectAppPublish',
    'deleteProjectDatasourcePublish',
    'deleteProjectScenarioPublish',
    'deleteProjectAppPublishTasks',
    'deleteProjectDatasourcePublishTasks',
    'deleteProjectScenarioPublishTasks',
    'deleteProjectScenario',
    'deleteProjectAppGuest',
    'deleteProjectAppPicture',
    'deleteProjectAppShareLink',
    'deleteProjectAppPublic',
    'deleteProjectApp',
  ] as const)
    await call(name);
  const { items } = await call('getProjectTrash');
  const trashed = items as { _id: string; type: string }[];
  const file = trashed.find(({ type }) => type === 'object')!;
  await call('postProjectTrashItemRestore', { path: { trashId: file._id } });
  await call('deleteProjectTrashItem', { path: { trashId: trashed[0]!._id } });
  await call('deleteUserAccessToken');
  await call('deleteProjectAccessToken', { path: { accessTokenId: ids['projectTokenId']! } });
  for (const name of [
    'deleteProjectModule',
    'deleteProjectDatasource',
    'deleteProjectJob',
    'deleteProjectTask',
    'deleteProjectCredential',
    'deleteLoginCredential',
    'deleteMapPlugin',
    'deleteProjectTrash',
    'deleteProjectUser',
    'deleteIamSuperUser',
    'deleteAdminRunner',
    'deleteAdminEnrolmentToken',
    'postAdminCleanup',
  ] as const)
    await call(name, name === 'deleteMapPlugin' ? { query: { name: '@city/lamps' } } : {});
  await call('putAdminDataBucketCleanupTask', { body: { type: 'cron', cron: '0 * * * *' } });
  await call('putAdminLegacyDatasourceCleanup', { body: { entries: [] } });
  await call('putIamRole', { query: { principalIds: [ids['userId']!] } });
  await call('deleteIamRole', { query: { principalIds: [ids['userId']!] } });
  const deleted = { path: { deletedProjectId: ids['projectId']! } };
  await call('deleteProject');
  await call('getAdminDeletedProjects');
  await call('postAdminDeletedProjectRestore', deleted);
  await call('deleteProject');
  await call('deleteAdminDeletedProject', deleted);
  await call('deleteUser');
}
