import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstShows, planOf, shownNow, timeProblem } from './publish-plan.ts';

const now = new Date('2026-05-01T12:00:00Z');
const later = '2026-06-01T08:00:00.000Z';
const draft = { isPublic: false };
const open = { isPublic: true, releaseId: 'r1' };

test('a draft becomes public with a release that is visible at once', () => {
  assert.deepEqual(planOf(draft, { who: 'everybody', shows: 'new' }, now), {
    withdraws: false,
    release: 'shown',
    unpins: false,
    visibility: {},
  });
});

test('scheduled content is not visible before', () => {
  const plan = planOf(open, { who: 'everybody', shows: 'new', from: later }, now);
  assert.equal(plan.release, 'later');
  assert.deepEqual(plan.visibility, { from: later, shows: 'newRelease' });
  const live = planOf(open, { who: 'everybody', shows: 'live', from: later }, now);
  assert.equal(live.unpins, false);
  assert.deepEqual(live.visibility, { from: later, shows: 'modules' });
});

test('a time that is past is now', () => {
  const plan = planOf(
    draft,
    { who: 'everybody', shows: 'kept', from: '2026-04-01T00:00:00Z', until: later },
    now,
  );
  assert.deepEqual(plan.visibility, { until: later });
});

test('an app is made private before anything else is shown', () => {
  const plan = planOf(open, { who: 'guests', shows: 'live' }, now);
  assert.equal(plan.withdraws, true);
  assert.equal(plan.unpins, true);
  assert.equal(plan.visibility, undefined);
  assert.equal(
    planOf({ isPublic: false, publicFrom: later }, { who: 'members', shows: 'kept' }, now).withdraws,
    true,
  );
  assert.equal(planOf(draft, { who: 'members', shows: 'new' }, now).withdraws, false);
});

test('an end must be in the future, and after the beginning', () => {
  const request = { who: 'everybody', shows: 'kept' } as const;
  assert.equal(timeProblem({ ...request, until: '2026-04-30T00:00:00.000Z' }, now), 'past');
  assert.equal(timeProblem({ ...request, from: later, until: later }, now), 'order');
  assert.equal(timeProblem({ ...request, from: later, until: '2026-07-01T00:00:00.000Z' }, now), undefined);
});

test('the public sees the release or the draft of public apps, and nothing of others', () => {
  const release = { releaseId: 'r' };
  assert.equal(shownNow({ isPublic: true }), 'draft');
  assert.equal(shownNow({ isPublic: true, ...release }), 'release');
  assert.equal(shownNow({ isPublic: false, ...release }), 'hidden');
  assert.equal(shownNow({ isPublic: false }), 'nothing');
});

test('publishing starts with what the app does now: a public draft stays one, a release is followed by the next', () => {
  const release = { releaseId: 'r' };
  assert.equal(firstShows({ isPublic: true }, true), 'live');
  assert.equal(firstShows({ isPublic: true, ...release }, true), 'new');
  assert.equal(firstShows({ isPublic: false }, true), 'new');
  assert.equal(firstShows({ isPublic: false, ...release }, true), 'new');
  assert.equal(firstShows({ isPublic: true, ...release }, false), 'kept', 'who may not make releases');
});
