import type { Recorder } from './testing-recorder.ts';

/** Logins and credentials, and publishing with them. */
export async function recordPublishing({ call, ids }: Recorder): Promise<void> {
  const login = { name: 'Web server', type: 'userPassword', username: 'deploy', password: 'three red boats' };
  const { _id: loginCredentialId } = await call('postLoginCredential', { body: login });
  ids['loginCredentialId'] = loginCredentialId;
  await call('putLoginCredential', { body: { description: 'The server of the city' } });
  const { _id: credentialsId } = await call('postProjectCredential', {
    body: { name: 'City', type: 'sftp', host: 'www.city.example', folder: 'maps', loginCredentialId },
  });
  ids['credentialId'] = credentialsId;
  await call('putProjectCredential', { body: { description: 'Public pages' } });
  const to = (destination: string) => ({ body: { credentialsId, destination, gzip: true } });
  await call('putProjectAppPublish', to('harbour'));
  await call('putProjectDatasourcePublish', to('data'));
  await call('putProjectScenarioPublish', to('bridge'));
}

/** What a runner that publishes an app asks for. */
export async function recordPublishingRunner({ call }: Recorder): Promise<void> {
  const { token: enrolmentToken } = await call('postAdminEnrolmentToken', { body: { name: 'p', hours: 1 } });
  const { token: runner } = await call('postRunnerEnrol', {
    token: '',
    body: { enrolmentToken, name: 'publisher', labels: [], version: '0.1.0', typeNames: ['PublishApp'] },
  });
  const { job } = await call('postRunnerClaim', { token: runner, body: { waitSeconds: 0 } });
  const { jobId, token } = job as { jobId: string; token: string };
  const held = { token, path: { jobId } };
  await call('getRunnerJobTarget', held);
  await call('getRunnerJobBundle', held);
  await call('getRunnerJobBundleFile', { ...held, query: { path: 'index.html' } });
  await call('postRunnerJobRelease', held);
  await call('postRunnerGoodbye', { token: runner });
}
