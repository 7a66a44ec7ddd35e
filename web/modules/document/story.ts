import { getAt, itemsOf, setAt, type Content, type Item } from './content.ts';
import { withView } from './start-view.ts';

/** A layer as it is in the map at the moment. */
interface LayerNow {
  readonly name: string;
  readonly isActive: boolean;
}

export const stepsOf = (content: Content): readonly Item[] =>
  itemsOf((content['story'] ?? {}) as Content, 'steps');

export const stepPointer = (index: number): string => `/story/steps/${index}`;

/** The index of the step that a pointer leads to or into; undefined for the story as a whole, and elsewhere. */
export function stepAt(pointer: string): number | undefined {
  const index = /^\/story\/steps\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
  return index === undefined ? undefined : Number(index);
}

export const isInStory = (pointer: string): boolean => pointer === '/story' || pointer.startsWith('/story/');

/** A story without steps is none. */
export function withSteps(content: Content, steps: readonly Item[]): Content {
  return setAt(
    content,
    steps.length === 0 ? ['story'] : ['story', 'steps'],
    steps.length === 0 ? undefined : steps,
  ) as Content;
}

export function moveStep(content: Content, from: number, to: number): Content {
  const steps = [...stepsOf(content)];
  const [step] = steps.splice(from, 1);
  steps.splice(to, 0, step!);
  return withSteps(content, steps);
}

/** The step looks as the map does. */
export function withViewOfMap(step: Item, view: Item): Item {
  const before = (getAt(step, ['viewpoint']) ?? { type: 'Viewpoint' }) as Item;
  return { ...step, viewpoint: withView(before, view) };
}

/**
 * The step switches layers so that they are as in the map: it names those that the steps before it, or the start of the
 * map, leave otherwise. Layers of other modules stay named.
 */
export function withLayersOfMap(content: Content, index: number, now: readonly LayerNow[]): Content {
  const steps = stepsOf(content);
  const step = steps[index]!;
  const before = layersBefore(content, steps.slice(0, index));
  const known = new Map(now.map(({ name, isActive }) => [name, isActive]));
  const isOf = (isOn: boolean) => (name: string) =>
    known.get(name) === isOn && (before.get(name) ?? false) !== isOn;
  // others, such as base maps, are no part of the module
  const names = itemsOf(content, 'layers').map(({ name }) => String(name));
  const others = (key: 'show' | 'hide') => namesOf(step, key).filter((name) => !names.includes(name));
  const lists = {
    show: [...others('show'), ...names.filter(isOf(true))],
    hide: [...others('hide'), ...names.filter(isOf(false))],
  };
  const { show: _show, hide: _hide, ...rest } = step;
  const next = {
    ...rest,
    ...(lists.show.length > 0 && { show: lists.show }),
    ...(lists.hide.length > 0 && { hide: lists.hide }),
  };
  return withSteps(content, steps.with(index, next));
}

function layersBefore(content: Content, steps: readonly Item[]): Map<string, boolean> {
  const states = new Map(
    itemsOf(content, 'layers').map(({ name, activeOnStartup }) => [String(name), activeOnStartup === true]),
  );
  for (const step of steps) {
    for (const name of namesOf(step, 'show')) states.set(name, true);
    for (const name of namesOf(step, 'hide')) states.set(name, false);
  }
  return states;
}

function namesOf(step: Item, key: 'show' | 'hide'): string[] {
  const names = step[key];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
