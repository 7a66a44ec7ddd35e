import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newMap } from '../../server/apps/releases/testing.ts';
import { newPlace } from '../../server/files/revisions/testing.ts';
import { enrolledRunner, holdNext } from '../../server/jobs/queue/testing.ts';
import { sftp } from '../../server/publishing/credentials/testing.ts';
import { platen } from '../testing-platen.ts';
import { startListening } from '../testing.ts';

const { service, env: account } = await startListening();
const place = await newPlace(service);
const { params, appId } = await newMap(service, place, ['trees']);
const env = { ...account, PLATEN_PROJECT: place.projectId };
const runner = await enrolledRunner(service, 'one');
const app = (...words: string[]) => platen(['app', ...words], { env });

test('an app is released with a note, and shown unless the release is to be kept back', async () => {
  const first = await app('release', 'Map', '--note', 'Trees');
  assert.deepEqual([first.code, first.out], [0, 'Release 1 of app “Map” was created and is shown.\n']);
  const second = await app('release', appId, '--no-show', '--json');
  const { number, isShown } = JSON.parse(second.out) as { number: number; isShown: boolean };
  assert.deepEqual([second.code, number, isShown], [0, 2, false]);
  const { items } = await service.admin.getProjectAppReleases({ params });
  assert.deepEqual(
    items.map(({ note, isShown: isCurrent }) => [note, isCurrent]),
    [
      ['', false],
      ['Trees', true],
    ],
  );
  assert.match((await app('list')).out, new RegExp(`^${appId}  private  Map\n$`));
  assert.equal((await app('release', 'None')).code, 4);
});

test('an app is published to a destination, and again by the task for it', async () => {
  assert.equal((await app('publish', 'Map')).code, 4);
  const { name } = await service.admin.postProjectCredential({ params: place, body: sftp as never });
  const first = await app('publish', 'Map', '--credential', name, '--folder', 'maps', '--json');
  const { taskId } = JSON.parse(first.out) as { taskId: string };
  // a job queued while the one before ends would wait for the scheduler, which does not run here
  await (await holdNext(service, runner))!.complete();
  const following = app('publish', 'Map', '--follow');
  let hasEnded = false;
  void following.finally(() => (hasEnded = true));
  let held;
  while (!held && !hasEnded) held = await holdNext(service, runner, 0.2);
  assert.ok(held, `the command has queued no job: ${JSON.stringify(hasEnded && (await following))}`);
  assert.equal(held.options['destination'], 'maps');
  await held.complete();
  const again = await following;
  assert.deepEqual([again.code, again.err], [0, '']);
  const other = await app('publish', 'Map', '--credential', name, '--folder', 'other');
  assert.equal(other.code, 0);
  const unclear = await app('publish', 'Map');
  assert.equal(unclear.code, 1);
  assert.match(unclear.err, new RegExp(`Choose one by --task <ID>: .*${taskId}`));
  const chosen = await app('publish', 'Map', '--task', taskId, '--json');
  assert.equal((JSON.parse(chosen.out) as { taskId: string }).taskId, taskId);
  assert.equal((await app('publish', 'Map', '--task', 'None')).code, 4);
});
