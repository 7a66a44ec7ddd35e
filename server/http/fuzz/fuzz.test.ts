import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestFailed } from '@platen/client/client';
import { describeApi } from '@platen/contract/describe';
import type { InjectOptions } from 'fastify';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { hashPassword } from '../../base/secrets/passwords.ts';
import { requireShortTurns, watchLoop } from '../../base/testing-loop-watch.ts';
import { describeParameters } from '../../jobs/types/describe-parameters.ts';
import { digestOf, startService, type TestService } from '../../testing.ts';
import { seededRandom } from './random.ts';
import { hostileRound } from './testing-hostile-rounds.ts';
import { describeRequest, operationsOf, requestFor, type Operation } from './requests.ts';

const count = Number(process.env['PLATEN_FUZZ_REQUESTS'] ?? 2_000);
/** A slow machine sends fewer. */
const maxMinutes = 6;
const cycleLength = 200;
const watched = 60;
/** After so many requests, hostile files are uploaded and read. */
const hostileEvery = 250;
/** The longest turn of the event loop that a request may cause, in CPU time. */
const maxTurnMs = 100;
/** Operations that work through all rows, or wait for a job while timers run. */
const hasManyTurns = new Set(['postAdminCleanup', 'getAdminRunDataBucketCleanup', 'postProjectTaskSync']);
const seed = Number(process.env['PLATEN_FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const document = describeApi('fuzz', { parameters: describeParameters() });
const { schemas } = document['components'] as { schemas: Record<string, Record<string, unknown>> };
// a caller that a fuzzer lets sign out would only be told 401 from then on; runners have tokens of their own; a stream of
// events has no end to wait for
const left = /^(getLogout|getLogoutAll|deleteSession|postLogin|postSession)$|Runner|Events$/;
const operations = operationsOf(document).filter(({ operationId }) => !left.test(operationId));

// most schemas are used for one value: compiling them costs more than they do
const quickToCompile = { code: { optimize: false }, inlineRefs: false };
const ajv = new Ajv2020({ ...quickToCompile, strict: false, formats: { 'date-time': true, binary: true } });
ajv.addSchema({ $id: 'api', components: { schemas } });
const validators = new Map<string, ValidateFunction>();

function checkReply({ responses }: Operation, status: number, body: unknown): string | undefined {
  const response = responses[status] ?? responses['default'];
  const schema = Object.values(response?.content ?? {})[0]?.schema;
  if (!schema || body === undefined) return undefined;
  const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
  validators.set(text, validate);
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}

/** One for all worlds: it belongs to the user, who may have a limited number of them. */
async function loginOf(admin: TestService['admin']) {
  const { items } = await admin.getLoginCredentials({ query: { limit: 1 } });
  const body = { name: 'l', type: 'userPassword', username: 'u', password: 'p' } as const;
  return items[0] ?? (await admin.postLoginCredential({ body }));
}

/** The ids that path parameters are filled with; what a request deleted is made again. */
async function worldOf({ admin, adminId }: TestService) {
  const project = await admin.postProject({ body: { name: 'Fuzzed', description: '', bbox: [0, 0, 1, 1] } });
  const member = await admin.postUser({ body: { username: `m${project._id}`, password: 'long enough' } });
  const projectId = project._id;
  await admin.putProjectUser({
    params: { projectId, userId: member._id },
    body: { roleId: 'projectMember' },
  });
  const module = await admin.postProjectModule({
    params: { projectId },
    body: { name: 'm', maps: [{ type: 'CesiumMap', name: 'globe' }] } as never,
  });
  const app = await admin.postProjectApp({
    params: { projectId },
    body: { name: 'a', description: '', mapVersion: '^6.3.0', moduleIds: [module._id] } as never,
  });
  const scenario = await admin.postProjectScenario({
    params: { projectId },
    body: { name: 's', moduleIds: [module._id], appId: app._id },
  });
  const credential = await admin.postProjectCredential({
    params: { projectId },
    body: { name: 'c', type: 'ftp', host: 'ftp.example.org', folder: '', username: 'u', password: 'p' },
  });
  const login = await loginOf(admin);
  const dataBucketId = project.defaultDataBucketId;
  const params = { projectId, dataBucketId };
  const form = new FormData();
  form.append('file', new Blob(['{"type":"FeatureCollection","features":[]}']), 'f.geojson');
  await admin.postProjectDataBucketUpload({ params, body: form });
  const datasource = await admin.postProjectDatasource({
    params: { projectId },
    body: {
      name: 'd',
      type: 'geojson',
      typeProperties: {},
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'f.geojson' },
    } as never,
  });
  const task = await admin.postProjectTask({
    params: { projectId },
    body: {
      name: 't',
      jobType: 'platenTilesVector',
      schedule: { type: 'scheduled', scheduled: '2099-01-01T00:00:00Z' },
      parameters: {
        datasource: { command: 'create', name: 'x' },
        options: { input: { type: 'internal', dataBucketId, dataBucketKey: 'f.geojson' } },
      },
    } as never,
  });
  const job = await admin.postProjectTaskRun({ params: { projectId, taskId: task._id } });
  const shareLink = await admin.postProjectAppShareLink({
    params: { projectId, appId: app._id },
    body: { name: 's' },
  });
  return {
    projectId: [projectId],
    userId: [member._id, adminId],
    principalId: [member._id],
    resourceId: [projectId, app._id],
    roleId: ['projectMember', 'projectManager', 'appGuest'],
    dataBucketId: [dataBucketId],
    datasourceId: [datasource._id],
    taskId: [task._id],
    jobId: [job._id],
    operationId: ['1-1'],
    moduleId: [module._id],
    appId: [app._id],
    scenarioId: [scenario._id],
    credentialId: [credential._id],
    loginCredentialId: [login._id],
    shareLinkId: [shareLink._id],
    jobType: ['platenTilesVector'],
  };
}

/** Clean-ups look at every project, and a run makes a new one whenever something was deleted. */
async function leaveWorld(admin: TestService['admin'], projectId: string): Promise<void> {
  const ignoreMissing = (error: unknown) => {
    if (!(error instanceof RequestFailed && error.status === 404)) throw error;
  };
  await admin.deleteProject({ params: { projectId } }).catch(ignoreMissing);
  await admin.deleteAdminDeletedProject({ params: { deletedProjectId: projectId } }).catch(ignoreMissing);
}

test(`up to ${count} requests from our own description (seed ${seed}) get no 5xx and no reply off its schema, no turn of the event loop above ${maxTurnMs} ms, and refused ones change no row`, async (t) => {
  const service = await startService();
  const { app, context, user, as } = service;
  const random = seededRandom(seed);
  const outsider = await user('outsider');
  const passwordHash = await hashPassword(
    { password: 'correct horse battery' },
    service.context.settings.passwordCost,
  );
  let adminToken = service.adminToken;
  let ids = await worldOf(service);
  let digest: string | undefined;
  const seen = new Map<string, number>();
  let refused = 0;
  let [longestTurnMs, slowest] = [0, ''];
  let hostileDatasources = 0;
  // the fuzzer does not know it, and gives it no quota
  const project = await service.admin.postProject({
    body: { name: 'Hostile', description: '', bbox: [0, 0, 1, 1] },
  });
  const place = { projectId: project._id, dataBucketId: project.defaultDataBucketId };

  /**
   * Measures each turn of the event loop where a request is large or has many turns; otherwise all turns together.
   */
  const send = async (request: InjectOptions, isByTurns: boolean) => {
    const before = process.threadCpuUsage();
    let reply!: Awaited<ReturnType<typeof app.inject>>;
    const run = async () => {
      reply = await app.inject(request).catch((cause: Error) => {
        throw new Error(`${cause.message}: ${describeRequest(request)} (seed ${seed})`, { cause });
      });
    };
    let turnMs = 0;
    if (isByTurns) ({ longestTurnMs: turnMs } = await watchLoop(run));
    else {
      await run();
      const { user, system } = process.threadCpuUsage(before);
      turnMs = (user + system) / 1000;
    }
    if (turnMs > longestTurnMs) [longestTurnMs, slowest] = [turnMs, describeRequest(request)];
    return reply;
  };

  const sendHostileFiles = async () => {
    const round = hostileRound(random, { ...place, token: adminToken });
    const requests = [round.upload, round.register];
    for (let request = requests.shift(); request; request = requests.shift()) {
      const reply = await send(request, true).catch(allowCutOff);
      if (!reply) continue;
      assert.ok(reply.statusCode < 500, `${reply.statusCode} for ${round.name}: ${reply.body}`);
      if (request !== round.register || reply.statusCode >= 300) continue;
      hostileDatasources++;
      requests.push(...round.reads(reply.json<{ _id: string }>()._id));
    }
  };

  const compare = async (request: string) => {
    if (digest === undefined) return;
    const now = await digestOf(context);
    assert.equal(now, digest, `a refused request changed a row, at the latest: ${request} (seed ${seed})`);
  };
  /** To look at every row after every change takes longer than all else: it is done in a part of each stretch. */
  const isWatched = (i: number) => i % cycleLength < watched;

  const end = performance.now() + maxMinutes * 60_000;
  let sent = 0;
  for (let i = 0; i < count && performance.now() < end; i++) {
    sent++;
    // a whole app with its engine takes a second: seldom
    const first = random.pick(operations);
    const operation = first.operationId === 'getProjectAppDownload' ? random.pick(operations) : first;
    const tokens = [adminToken, outsider.token];
    const request = requestFor(operation, { random, schemas, ids, tokens });
    const isUnsafe = operation.method !== 'GET';
    if (i % cycleLength === 0) digest = await digestOf(context);
    // nothing refused so far may have changed anything
    if (i % cycleLength === watched || (isWatched(i) && isUnsafe && i % 20 === 10))
      await compare(describeRequest(request));
    if (!isWatched(i)) digest = undefined;
    if (i % hostileEvery === hostileEvery - 1) {
      await sendHostileFiles();
      if (digest !== undefined) digest = await digestOf(context);
    }
    const isWholeApp = operation.operationId === 'getProjectAppDownload';
    // not measured: inject itself puts the tens of megabytes together in one turn
    const isByTurns = isLarge(request) || hasManyTurns.has(operation.operationId);
    const reply = isWholeApp ? await app.inject(request) : await send(request, isByTurns);
    const { statusCode } = reply;
    seen.set(`${operation.operationId} ${Math.floor(statusCode / 100)}xx`, 1);
    // the fuzzer itself gave the project a quota of a few bytes
    const isAboveQuota = statusCode === 507 && /"code":"quota"/.test(reply.body);
    assert.ok(
      statusCode < 500 || isAboveQuota,
      `${statusCode} for ${describeRequest(request)} (seed ${seed}): ${reply.body.slice(0, 500)}`,
    );
    const isJson = /[/+]json\b/.test(String(reply.headers['content-type'] ?? '')) && reply.body !== '';
    const isDownload = /download|object/i.test(operation.operationId) && statusCode < 300;
    const problem =
      isJson && !isDownload ? checkReply(operation, statusCode, JSON.parse(reply.body)) : undefined;
    assert.equal(
      problem,
      undefined,
      `${statusCode} off its schema for ${describeRequest(request)} (seed ${seed})`,
    );
    if (statusCode >= 400) refused++;
    if (isUnsafe && statusCode < 400) {
      await restoreAdmin(service, passwordHash);
      const whoami = { url: '/api/v1/user/whoami', headers: { authorization: `Bearer ${adminToken}` } };
      if ((await app.inject(whoami)).statusCode !== 200) {
        const result = await as().postLogin({
          body: { username: 'admin', password: 'correct horse battery' },
        });
        adminToken = result.token;
      }
      if (operation.method === 'DELETE' && !keepsWorld(operation, reply.body)) {
        const admin = as(adminToken);
        await leaveWorld(admin, ids.projectId[0]!);
        ids = await worldOf({ ...service, admin });
      }
      if (digest !== undefined) digest = await digestOf(context);
    }
  }
  await compare('the end');
  requireShortTurns(`${slowest} (seed ${seed})`, { longestTurnMs }, maxTurnMs);
  assert.ok(hostileDatasources > 0 || sent < 10 * hostileEvery, 'hostile files are read as data');
  t.diagnostic(
    `${sent} requests, ${hostileDatasources} hostile datasources; longest turn: ${longestTurnMs.toFixed(0)} ms for ${slowest}`,
  );
  assert.ok(refused > sent / 4, 'a fuzzer that is seldom refused tests little');
  assert.ok(seen.size > operations.length, 'most operations were seen to succeed and to refuse');
});

/** Its turns are measured one by one. */
const isLarge = ({ url, payload }: InjectOptions): boolean =>
  (url as string).length > 1000 || ((payload as string | Buffer | undefined)?.length ?? 0) > 10_000;

/** A response that unpacks to far too much is cut off. */
function allowCutOff(error: Error): undefined {
  if (!/response destroyed before completion/.test(error.message)) throw error;
}

/** There was nothing, or it was the id of nothing that the fuzzer knows, or a setting of what is still there. */
const keepsWorld = ({ path }: Operation, body: string): boolean =>
  path.endsWith('/publish') || /"numberOfDeletedItems":0\b/.test(body);

/** Whatever the fuzzer did to the super user (a new password, a new name) is undone. */
async function restoreAdmin({ context, adminId }: TestService, passwordHash: string): Promise<void> {
  const whole = { username: 'admin', is_active: true, is_admin: true, is_super_user: true };
  await context.db
    .updateTable('user_account')
    .set({ ...whole, password_hash: passwordHash })
    .where('id', '=', adminId)
    .execute();
}
