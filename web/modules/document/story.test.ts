import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInStory, moveStep, stepAt, stepsOf, withLayersOfMap, withSteps, withViewOfMap } from './story.ts';

const layer = (name: string, activeOnStartup: boolean) => ({ name, activeOnStartup });
const titles = (content: object) => stepsOf(content as never).map(({ title }) => title);

test('steps are added, moved and removed, and a story without steps is none', () => {
  const content = withSteps({ name: 'A', story: { seconds: 5 } }, [
    { title: 'a' },
    { title: 'b' },
    { title: 'c' },
  ]);
  assert.deepEqual(content['story'], { seconds: 5, steps: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] });
  assert.deepEqual(titles(moveStep(content, 2, 0)), ['c', 'a', 'b']);
  assert.deepEqual(withSteps(content, []), { name: 'A' });
  assert.deepEqual(stepsOf({ story: 'none' }), []);
});

test('pointers of the story lead to its steps', () => {
  assert.equal(stepAt('/story/steps/12/title'), 12);
  assert.equal(stepAt('/story'), undefined);
  assert.equal(stepAt('/layers/1'), undefined);
  assert.deepEqual(['/story', '/story/steps/0', '/stories'].map(isInStory), [true, true, false]);
});

test('a step names the layers that are otherwise than before it', () => {
  const content = {
    layers: [layer('roads', true), layer('trees', false), layer('houses', false)],
    story: {
      steps: [
        { title: 'a', show: ['trees'] },
        { title: 'b', show: ['houses', 'other module'], hide: ['roads'] },
      ],
    },
  };
  const now = [
    { name: 'roads', isActive: true },
    { name: 'trees', isActive: false },
    { name: 'houses', isActive: true },
    { name: 'world', isActive: true },
  ];
  const [, step] = stepsOf(withLayersOfMap(content, 1, now));
  assert.deepEqual(step, { title: 'b', show: ['other module', 'houses'], hide: ['trees'] });
  const first = now.map(({ name }) => ({ name, isActive: name === 'roads' }));
  assert.deepEqual(stepsOf(withLayersOfMap(content, 0, first))[0], { title: 'a' });
});

test('the view of a step is that of the map, and keeps its other options', () => {
  const step = withViewOfMap(
    { title: 'a', viewpoint: { duration: 9, cameraPosition: [1, 2, 3] } },
    { groundPosition: [1, 2, 0], distance: 100 },
  );
  assert.deepEqual(step, {
    title: 'a',
    viewpoint: { duration: 9, groundPosition: [1, 2, 0], distance: 100 },
  });
});
