import { ref, watch, type Ref } from 'vue';
import { isInStory } from '../document/story.ts';

/** How much of a module the editor shows: what most maps need, or everything. */
export type Depth = 'simple' | 'advanced';

const keptAs = 'platen.moduleDepth';

/** What the simple editor has a form for. */
export const isSimpleThing = (selected: string): boolean =>
  selected === '' || selected.startsWith('/layers/') || isInStory(selected);

/** The depth that was chosen last; what the simple editor does not show opens in the advanced one. */
export function useDepth(selected: Readonly<Ref<string>>): Ref<Depth> {
  const depth = ref<Depth>(localStorage.getItem(keptAs) === 'advanced' ? 'advanced' : 'simple');
  watch(
    selected,
    (thing) => {
      if (!isSimpleThing(thing)) depth.value = 'advanced';
    },
    { immediate: true },
  );
  return depth;
}

export const keepDepth = (depth: Depth): void => localStorage.setItem(keptAs, depth);
