import { computed, onScopeDispose, ref, watch, type Ref } from 'vue';

export type Pane = 'content' | 'map' | 'properties';

const keptAs = 'platen.modulePanes';
const wide = '(min-width: 1024px)';

/** The visible panes: all if there is room, else one of them. The simple editor has no pane of properties. */
export function usePanes(isSimple: Readonly<Ref<boolean>>) {
  const query = matchMedia(wide);
  const isWide = ref(query.matches);
  const follow = (event: MediaQueryListEvent) => (isWide.value = event.matches);
  query.addEventListener('change', follow);
  onScopeDispose(() => query.removeEventListener('change', follow));

  const closed = new Set((localStorage.getItem(keptAs) ?? '').split(' '));
  const isLeftOpen = ref(!closed.has('left'));
  const isRightOpen = ref(!closed.has('right'));
  watch([isLeftOpen, isRightOpen], ([left, right]) =>
    localStorage.setItem(keptAs, `${left ? '' : 'left'} ${right ? '' : 'right'}`),
  );

  const pane = ref<Pane>('content');
  const shows = (one: Pane): boolean => {
    if (!isWide.value) return pane.value === one;
    if (isSimple.value) return one !== 'properties';
    return { content: isLeftOpen.value, map: true, properties: isRightOpen.value }[one];
  };
  const columns = computed(() => {
    if (!isWide.value) return 'minmax(0, 1fr)';
    // the map has 60 % of the width at least
    if (isSimple.value) return 'minmax(0, min(36%, 400px)) minmax(0, 1fr)';
    const left = isLeftOpen.value ? 'minmax(220px, 290px) ' : '';
    const right = isRightOpen.value ? ' minmax(280px, 380px)' : '';
    return `${left}minmax(0, 1fr)${right}`;
  });
  return { isWide, pane, isLeftOpen, isRightOpen, columns, shows };
}
