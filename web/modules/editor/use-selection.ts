import { computed, ref, watch, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { isObject } from '../../ui/is-object.ts';
import { getAt, itemsOf, pathOf, textOf, type Content } from '../document/content.ts';

/** The selected thing: an item of a list, or the module itself. The address keeps it by name. */
export function useSelection(content: Readonly<Ref<Content>>) {
  const route = useRoute();
  const router = useRouter();
  const selected = ref('');
  /** The pointer last jumped to within it: the form reveals it, the JSON editor puts the cursor there. */
  const target = ref<{ pointer: string }>();

  const path = computed(() => pathOf(selected.value, content.value));
  const list = computed(() => (path.value.length === 2 ? String(path.value[0]) : undefined));
  const index = computed(() => Number(path.value[1]));
  const item = computed(() => {
    const value = getAt(content.value, path.value);
    return isObject(value) ? value : undefined;
  });

  function select(pointer: string, within?: string): void {
    selected.value = pointer;
    target.value = within === undefined ? undefined : { pointer: within };
  }
  const selectItem = (list: string, at: number) => select(`/${list}/${at}`);

  function selectByName(list: string, name: string): boolean {
    const at = itemsOf(content.value, list).findIndex((one) => one['name'] === name);
    if (at !== -1) selectItem(list, at);
    return at !== -1;
  }

  // an item stays selected when it moves in its list, and is deselected when it is gone
  watch(
    content,
    (now, before) => {
      const was = getAt(before, pathOf(selected.value, before));
      if (list.value === undefined || !isObject(was)) return;
      const items = itemsOf(now, list.value);
      const here = items[index.value];
      if (here === was || (here && here['name'] === was['name'] && here['id'] === was['id'])) return;
      const found = items.indexOf(was);
      const named = found === -1 ? items.findIndex((one) => one['name'] === was['name']) : found;
      if (named !== -1) selectItem(list.value, named);
      else if (items.length < itemsOf(before, list.value).length) select('');
    },
    // before anyone selects something in the new content
    { flush: 'sync' },
  );

  const kept = computed(() => {
    const name = textOf(item.value?.['name']);
    return list.value === undefined || name === undefined ? undefined : `${list.value}/${name}`;
  });
  watch(kept, (thing) => void router.replace({ query: { ...route.query, thing }, hash: route.hash }));
  const stop = watch(
    content,
    (now) => {
      if (Object.keys(now).length === 0) return;
      const [list, ...name] = String(route.query['thing'] ?? '').split('/');
      if (list) selectByName(list, name.join('/'));
      queueMicrotask(() => stop());
    },
    { immediate: true },
  );

  return { selected, target, list, index, item, path, select, selectItem, selectByName };
}
