import { projectOf } from '../../jobs/queue/testing.ts';
import { startService, type ApiClient, type TestService } from '../../testing.ts';

export interface Team {
  readonly service: TestService;
  readonly projectId: string;
  readonly manager: ApiClient;
  readonly managerId: string;
  readonly member: ApiClient;
}

/** A project with one manager and one member who are nothing else. */
export async function teamOf(options: Parameters<typeof startService>[0] = {}): Promise<Team> {
  const service = await startService(options);
  const { admin } = service;
  const projectId = await projectOf(service, 'Town');
  const [manager, member] = [await service.user('manager'), await service.user('member')];
  for (const [{ id: userId }, roleId] of [
    [manager, 'projectManager'],
    [member, 'projectMember'],
  ] as const)
    await admin.putProjectUser({ params: { projectId, userId }, body: { roleId } });
  return { service, projectId, manager: manager.client, managerId: manager.id, member: member.client };
}

export const sftp = {
  name: 'Web server',
  type: 'sftp' as const,
  host: 'files.example.org',
  folder: '/var/www',
  username: 'web',
  password: 'sftp-password-1',
};

export const s3 = {
  name: 'Bucket',
  type: 's3' as const,
  endpoint: 'https://s3.example.org',
  region: 'eu-central-1',
  bucket: 'maps',
  prefix: 'town/',
  accessKeyId: 'AKIA1',
  secretAccessKey: 's3-secret-1',
};

export const ftp = {
  name: 'Old server',
  type: 'ftp' as const,
  host: '192.0.2.7',
  folder: 'htdocs',
  username: 'old',
  password: 'ftp-password-1',
};
