import type { Recorder } from './testing-recorder.ts';
import { adminPassword } from '../../testing.ts';

/** Users, sign-ins and roles; a project that they work in. */
export async function recordAccounts({ call, ids }: Recorder): Promise<void> {
  await call('postLogin', { token: '', body: { username: 'admin', password: adminPassword } });
  const { _id: userId } = await call('postUser', {
    body: { username: 'eva', password: 'three blue boats', email: 'eva@city.example' },
  });
  ids['userId'] = ids['principalId'] = userId;
  await call('putUser', { body: { email: 'eva.sand@city.example' } });
  await call('putUserPassword', { body: { password: 'four blue boats' } });
  const { token } = await call('postUserPasswordReset');
  await call('postPasswordReset', { token: '', body: { token, password: 'five blue boats' } });
  await call('putUserActive', { body: { isActive: true } });

  const eva = { username: 'eva', password: 'five blue boats' };
  const logIn = async () => (await call('postLogin', { token: '', body: eva }))['token'] as string;
  await call('postSession', { token: '', body: eva });
  const mine = await logIn();
  await call('getSession', { token: mine });
  await logIn();
  const { items } = await call('getUserSessions', { token: mine });
  const other = (items as { _id: string; isCurrent: boolean }[]).find(({ isCurrent }) => !isCurrent);
  await call('deleteUserSession', { token: mine, path: { sessionId: other!._id } });
  await call('deleteUserSessions', { token: mine });
  await call('getLogout', { token: mine });
  await call('getLogoutAll', { token: await logIn() });
  await call('deleteSession', { token: await logIn() });

  const project = await call('postProject', {
    body: {
      name: 'Harbour',
      description: 'The harbour of the city as a 3D map',
      bbox: [9.8, 53.4, 10.2, 53.7],
    },
  });
  ids['projectId'] = ids['resourceId'] = project['_id'];
  ids['dataBucketId'] = project['defaultDataBucketId'];
  ids['roleId'] = 'projectMember';
  ids['jobType'] = 'platenCheckRunner';
  await call('putProject', {
    body: { description: 'The harbour of the city as a 3D map, renewed each year' },
  });
  await call('putProjectUser', { body: { roleId: 'projectMember' } });
  const personal = { name: 'Nightly export', scope: 'read', projectId: ids['projectId'] };
  ids['accessTokenId'] = (await call('postUserAccessToken', { body: personal }))['_id'];
  const ofProject = {
    name: 'Upload of orthophotos',
    scope: 'write',
    roleId: 'projectMember',
    lifetimeDays: 365,
  };
  ids['projectTokenId'] = (await call('postProjectAccessToken', { body: ofProject }))['_id'];
  await call('putIamSuperUser');
  await call('putAdminSettings', { body: { name: 'Maps of the city', listsPublicApps: true } });
}
