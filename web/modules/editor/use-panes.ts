import { computed, onScopeDispose, ref, watch, type Ref } from 'vue';

export type Pane = 'content' | 'map' | 'properties';

const keptAs = 'platen.modulePanes';
const wide = '(min-width: 1024px)';
/** From here on, the map keeps 60 % of the width between two panes. */
const broad = '(min-width: 1920px)';

/**
 * The visible panes: all if there is room, else one of them. The simple editor has no pane of properties. On screens of
 * usual width, it is below the content, so that the map has 60 % of the width at least.
 */
export function usePanes(isSimple: Readonly<Ref<boolean>>) {
  const isWide = useMatch(wide);
  const isBroad = useMatch(broad);
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
  const isStacked = computed(() => isWide.value && !isBroad.value);
  const layout = computed(() => {
    if (!isWide.value) return { gridTemplate: `"${pane.value}" minmax(0, 1fr) / minmax(0, 1fr)` };
    const [content, properties] = [shows('content'), shows('properties')];
    const map = 'minmax(0, 1fr)';
    const side = 'minmax(0, min(36%, 400px))';
    if (content && properties && isStacked.value)
      return {
        gridTemplate: `"content map" minmax(0, 2fr) "properties map" minmax(0, 3fr) / ${side} ${map}`,
      };
    if (content && properties)
      return { gridTemplate: `"content map properties" minmax(0, 1fr) / 290px ${map} 380px` };
    const only = content ? 'content' : properties ? 'properties' : undefined;
    const first = only === undefined ? ['', ''] : [`${only} `, `${side} `];
    return { gridTemplate: `"${first[0]}map" minmax(0, 1fr) / ${first[1]}${map}` };
  });
  return { isWide, isStacked, pane, isLeftOpen, isRightOpen, layout, shows };
}

function useMatch(condition: string): Readonly<Ref<boolean>> {
  const query = matchMedia(condition);
  const matches = ref(query.matches);
  const follow = (event: MediaQueryListEvent) => (matches.value = event.matches);
  query.addEventListener('change', follow);
  onScopeDispose(() => query.removeEventListener('change', follow));
  return matches;
}
