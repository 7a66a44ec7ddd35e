// Runs in the browser, as a part of start.ts: tells the story of an app, one place after the other.
import type { Story, StoryStep } from '@platen/contract/stories';
import { flyTo, type FlightApp, type FlightCore } from './fly-to.ts';
import { openStoryPanel } from './story-panel.ts';

interface Layer {
  readonly active: boolean;
  readonly loading: boolean;
  activate(): Promise<void>;
  deactivate(): void;
}

/** The part of engines 5.0 to 6.3 that is used. */
export interface StoryApp {
  readonly locale: string;
  readonly layers: { getByKey(name: string): Layer | undefined };
  readonly maps: FlightApp['maps'] & { readonly target: HTMLElement | null };
}

const defaultSeconds = 8;
const flightSeconds = 2;
const hashPattern = /^#step=(\d+)$/;

/** The stories of all modules, one after the other; undefined if there is none. */
export function storyOf(modules: readonly Readonly<Record<string, unknown>>[]): Story | undefined {
  const stories = modules.flatMap(({ story }) => (story as Story | null | undefined) ?? []);
  const steps = stories.flatMap((story) => story.steps ?? []);
  return steps.length === 0 ? undefined : { ...stories[0], steps };
}

/**
 * Opens the story at the step that the address names (`#step=3`), or at its beginning. A view that the address has
 * (`?state=…`) stays until the visitor goes on.
 */
export function startStory(
  app: StoryApp,
  core: FlightCore,
  { steps, seconds = defaultSeconds }: Story,
): void {
  const setLayers = layerSwitch(app, steps);
  let current = 0;
  /** A later step, or a pause, ends what an earlier one waits for. */
  let turn = 0;
  let isPlaying = false;

  const fly = async ({ viewpoint }: StoryStep): Promise<void> => {
    if (!viewpoint) return;
    const animate = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    await flyTo(app, core, { duration: flightSeconds, ...viewpoint, animate });
  };
  const go = async (index: number): Promise<void> => {
    const own = ++turn;
    current = index;
    panel.show({ index, isPlaying });
    history.replaceState(history.state, '', `${location.pathname}${location.search}#step=${index + 1}`);
    setLayers(index);
    await fly(steps[index]!);
    if (isPlaying && own === turn) waitForNext(own);
  };
  const waitForNext = (own: number): void => {
    setTimeout(() => {
      if (!isPlaying || own !== turn) return;
      if (current + 1 < steps.length) void go(current + 1);
      else stop();
    }, seconds * 1000);
  };
  const stop = (): void => {
    if (!isPlaying) return;
    isPlaying = false;
    turn++;
    panel.show({ index: current, isPlaying });
  };
  const play = (): void => {
    isPlaying = true;
    const isAtEnd = current === steps.length - 1;
    void go(isAtEnd ? 0 : current);
  };

  const panel = openStoryPanel(app, steps, {
    go: (index) => {
      stop();
      void go(index);
    },
    toggle: () => (isPlaying ? stop() : play()),
    stop,
  });
  // whoever moves the map looks around
  for (const type of ['pointerdown', 'wheel'])
    app.maps.target?.addEventListener(type, stop, { capture: true, passive: true });

  const linked = Number(hashPattern.exec(location.hash)?.[1] ?? 1) - 1;
  const first = linked < steps.length ? Math.max(linked, 0) : 0;
  if (new URLSearchParams(location.search).has('state')) {
    current = first;
    panel.show({ index: first, isPlaying });
  } else {
    void go(first);
  }
}

/**
 * Switches layers as all steps up to one say, from how they were before the story: the same step always shows the same
 * layers, from wherever it is reached. Layers that no step names stay as they are.
 */
function layerSwitch({ layers }: StoryApp, steps: readonly StoryStep[]): (index: number) => void {
  const names = new Set(steps.flatMap(({ show = [], hide = [] }) => [...show, ...hide]));
  const before = new Map<string, boolean>();
  for (const name of names) {
    const layer = layers.getByKey(name);
    if (layer !== undefined) before.set(name, layer.active || layer.loading);
  }
  return (index) => {
    const wanted = new Map(before);
    for (const { show, hide } of steps.slice(0, index + 1)) {
      for (const name of show ?? []) wanted.set(name, true);
      for (const name of hide ?? []) wanted.set(name, false);
    }
    for (const [name, isActive] of wanted) {
      const layer = layers.getByKey(name);
      if (isActive) layer?.activate().catch(reportError);
      else layer?.deactivate();
    }
  };
}
