import assert from 'node:assert/strict';
import { test } from 'node:test';
import { teamOf, sftp } from '../../publishing/credentials/testing.ts';
import { projectOf } from '../../jobs/queue/testing.ts';

const { service, projectId, manager, managerId, member } = await teamOf();
const { admin } = service;
const params = { projectId };

const module = async (by = manager, name = 'M') =>
  (await by.postProjectModule({ params, body: { name } }))._id;
const at = (scenarioId: string) => ({ params: { projectId, scenarioId } });

test('a scenario keeps its modules in their order, and the app that it is a variant of', async () => {
  const modules = [await module(admin), await module(admin), await module(admin)];
  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'A' } });
  const body = {
    name: 'New bridge',
    description: 'd',
    properties: { b: 1, a: 2 },
    config: { layers: [] },
    public: true,
    moduleIds: modules.toReversed(),
    appId,
  };
  const made = await admin.postProjectScenario({ params, body });
  const { name, description, properties, config, moduleIds, publishTaskIds, memberId, createdBy } = made;
  const kept = { name, description, properties, config, public: made.public };
  assert.deepEqual({ ...kept, moduleIds, appId: made.appId }, body);
  const marked = async (isPublic: boolean) =>
    (await admin.getProjectScenarios({ params, query: { public: isPublic } })).items.map(({ _id }) => _id);
  assert.deepEqual([await marked(true), await marked(false)], [[made._id], []]);
  assert.deepEqual([publishTaskIds, memberId], [[], createdBy]);
  assert.deepEqual(await admin.getProjectScenario(at(made._id)), made);
  const back = await admin.putProjectScenario({ ...at(made._id), body: made as never });
  assert.deepEqual({ ...back, revision: 1, updatedAt: '' }, { ...made, updatedAt: '' });
  const changed = await admin.putProjectScenario({
    ...at(made._id),
    body: { moduleIds: [modules[0]!], appId: null },
  });
  assert.deepEqual([changed.moduleIds, changed.appId, changed.name], [[modules[0]], undefined, 'New bridge']);
  const headers = { 'if-match': '"1"' };
  await assert.rejects(admin.putProjectScenario({ ...at(made._id), body: {}, headers }), { status: 412 });
  await assert.rejects(admin.deleteProjectScenario({ ...at(made._id), headers }), { status: 412 });
});

test('scenarios are created by members; others read, change and delete them as they may modules', async () => {
  await assert.rejects(manager.postProjectScenario({ params, body: { name: 'S' } }), { status: 403 });
  const own = await member.postProjectScenario({ params, body: { name: 'Mine', properties: { a: 1 } } });
  const foreign = await admin.postProjectScenario({ params, body: { name: 'Theirs', properties: { a: 1 } } });
  const { items } = await member.getProjectScenarios({ params, query: { name: ['mine', 'theirs'] } });
  assert.deepEqual(
    items.map(({ name, properties }) => [name, properties]),
    [
      ['Theirs', {}],
      ['Mine', { a: 1 }],
    ],
  );
  assert.equal((await member.putProjectScenario({ ...at(own._id), body: { name: 'Ours' } })).name, 'Ours');
  await assert.rejects(member.getProjectScenario(at(foreign._id)), { status: 403 });
  await assert.rejects(member.putProjectScenario({ ...at(foreign._id), body: {} }), { status: 403 });
  await assert.rejects(member.deleteProjectScenario(at(foreign._id)), { status: 403 });
  assert.equal((await manager.putProjectScenario({ ...at(own._id), body: { name: 'Read' } })).name, 'Read');
  await manager.deleteProjectScenario(at(foreign._id));
  await member.deleteProjectScenario(at(own._id));
  await assert.rejects(member.getProjectScenario(at(own._id)), { status: 404 });
});

test('modules that are unreadable, repeated or of another project are refused', async () => {
  const elsewhere = { projectId: await projectOf(service, 'Elsewhere') };
  const foreign = (await admin.postProjectModule({ params: elsewhere, body: { name: 'M' } }))._id;
  const { _id: foreignApp } = await admin.postProjectApp({ params: elsewhere, body: { name: 'A' } });
  const theirs = await module(manager);
  const own = await module(member);
  const wrong: [object, string][] = [
    [{ moduleIds: [own, foreign] }, '/moduleIds/1'],
    [{ moduleIds: ['nowhere'] }, '/moduleIds/0'],
    [{ moduleIds: [own, own] }, '/moduleIds/1'],
    [{ moduleIds: [own, theirs] }, '/moduleIds/1'],
    [{ appId: foreignApp }, '/appId'],
    [{ appId: 'nowhere' }, '/appId'],
  ];
  const made = await member.postProjectScenario({ params, body: { name: 'S', moduleIds: [own] } });
  for (const [body, pointer] of wrong) {
    const refused = (error: { status?: number; errors?: { pointer: string }[] }) => {
      assert.deepEqual([error.status, error.errors?.[0]?.pointer], [422, pointer]);
      return true;
    };
    await assert.rejects(member.postProjectScenario({ params, body: { name: 'S', ...body } }), refused);
    await assert.rejects(member.putProjectScenario({ ...at(made._id), body }), refused);
  }
  await assert.rejects(
    member.postProjectScenario({ params, query: { MemberId: managerId }, body: { name: 'S' } }),
    { status: 403 },
  );
  await assert.rejects(member.postProjectScenario({ params, body: { name: 'S', isPublic: true } as never }), {
    status: 400,
  });
});

test('a module in a scenario is deleted only by force, by whoever may edit the scenario', async () => {
  const moduleId = await module(member, 'Shared');
  const mine = await member.postProjectScenario({ params, body: { name: 'Mine', moduleIds: [moduleId] } });
  const other = await admin.postProjectScenario({ params, body: { name: 'Other', moduleIds: [moduleId] } });
  const path = { params: { projectId, moduleId } };
  const uses = await member.getProjectModuleUsedBy(path);
  assert.deepEqual(
    uses.items.map(({ type, name, role, blocks }) => `${type} ${name} ${role} ${blocks}`).toSorted(),
    ['scenario Mine module true', 'scenario Other module true'],
  );
  await assert.rejects(member.deleteProjectModule(path), { status: 409, message: /the scenario “Mine”/ });
  const force = { query: { force: true } };
  await assert.rejects(member.deleteProjectModule({ ...path, ...force }), {
    status: 403,
    message: /“Other”/,
  });
  await manager.deleteProjectModule({ ...path, ...force });
  for (const { _id } of [mine, other]) {
    const { moduleIds, revision } = await admin.getProjectScenario(at(_id));
    assert.deepEqual([moduleIds, revision], [[], 2]);
  }
  const found = await admin.getProjectScenarios({ params, query: { moduleId: [moduleId] } });
  assert.equal(found.totalCount, 0);
});

test('a restored scenario has its remaining modules, its app and its task', async () => {
  const { _id: credentialsId } = await manager.postProjectCredential({ params, body: sftp });
  const [kept, gone] = [await module(member), await module(member)];
  const { _id: appId } = await member.postProjectApp({ params, body: { name: 'A' } });
  const body = { name: 'Back', moduleIds: [gone, kept], appId };
  const { _id } = await member.postProjectScenario({ params, body });
  const schedule = { type: 'scheduled' as const, scheduled: '2099-01-01T00:00:00Z' };
  const publish = (destination: string) =>
    member.putProjectScenarioPublish({ ...at(_id), body: { credentialsId, destination, schedule } });
  const [first, second] = [await publish('a'), await publish('b')];
  const variants = await member.getProjectAppUsedBy({ params: { projectId, appId } });
  assert.deepEqual(
    variants.items.map((use) => [use._id, use.role]),
    [[_id, 'variant']],
  );
  const published = await member.getProjectScenarioUsedBy(at(_id));
  assert.deepEqual(published.items.map((use) => use._id).toSorted(), [first._id, second._id].toSorted());

  await member.deleteProjectScenario(at(_id));
  await member.deleteProjectModule({ params: { projectId, moduleId: gone } });
  await member.deleteProjectApp({ params: { projectId, appId } });
  await member.deleteProjectTask({ params: { projectId, taskId: first._id } });
  const { items } = await member.getProjectTrash({ params, query: { type: ['scenario'], name: ['Back'] } });
  await member.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
  const back = await member.getProjectScenario(at(_id));
  assert.deepEqual([back.moduleIds, back.appId, back.publishTaskIds], [[kept], undefined, [second._id]]);
  assert.equal((await member.getProjectSummary({ params })).scenarios >= 1, true);
});

test('a scenario is published by its maker, and not by members who may not read it', async () => {
  const { _id: credentialsId } = await manager.postProjectCredential({
    params,
    body: { ...sftp, host: 'b' },
  });
  const body = { credentialsId };
  const own = await member.postProjectScenario({ params, body: { name: 'Own' } });
  const theirs = await admin.postProjectScenario({ params, body: { name: 'Theirs' } });
  const task = await member.putProjectScenarioPublish({ ...at(own._id), body });
  assert.deepEqual((await member.getProjectScenario(at(own._id))).publishTaskIds, [task._id]);
  assert.deepEqual(
    (await member.getProjectScenarioPublish(at(own._id))).items.map(({ lastJob }) => lastJob?.state),
    ['queued'],
  );
  await assert.rejects(member.putProjectScenarioPublish({ ...at(theirs._id), body }), { status: 403 });
  const parameters = { options: { scenarioId: theirs._id, credentialsId, destination: 'x' } };
  const jobType = 'platenPublishScenario';
  await assert.rejects(member.postProjectTask({ params, body: { name: 'T', jobType, parameters } }), {
    status: 403,
    message: /getModule/,
  });
  assert.deepEqual(await member.deleteProjectScenarioPublishTasks(at(own._id)), { numberOfDeletedItems: 1 });
  assert.deepEqual((await member.getProjectScenario(at(own._id))).publishTaskIds, []);
  await assert.rejects(
    member.deleteProjectScenarioPublishTasks({ ...at(own._id), query: { taskId: task._id } }),
    {
      status: 404,
    },
  );
});
