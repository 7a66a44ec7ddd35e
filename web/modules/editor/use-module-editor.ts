import { moduleServiceSet, type Module } from '@platen/contract/modules';
import { useQuery } from '@pinia/colada';
import { computed, inject, markRaw, provide, ref, shallowRef, toRaw, watch, type InjectionKey } from 'vue';
import { useI18n } from 'vue-i18n';
import { api } from '../../api/api.ts';
import { user } from '../../api/session.ts';
import { useEditing } from '../../live/editing.ts';
import { projectKey } from '../../live/keys.ts';
import { isSame } from '../../live/merge.ts';
import { usePermissions, useProjectId } from '../../page/use-project.ts';
import { clearAt, getAt, itemsOf, setAt, textOf, type Content, type Path } from '../document/content.ts';
import {
  canRedo,
  canUndo,
  nowOf,
  rebase,
  record,
  redo,
  replaceNow,
  startHistory,
  undo,
  type History,
} from '../document/history.ts';
import { mergeModules, takeTheirs } from '../document/merge-modules.ts';
import { useMapPreview } from './use-map-preview.ts';
import { useShowingApp } from './use-showing-app.ts';
import { useSelection } from './use-selection.ts';

const ofService = new Set(moduleServiceSet);

/** An earlier state plus the changes others made since, so that undo never reverts theirs. */
function withTheirs(state: Content, before: Content, now: Content): Content {
  const { merged, clashes } = mergeModules(before, state, now);
  return takeTheirs(merged, clashes);
}

/** All editable parts of a module, in the order of its keys. */
const contentOf = (module: Module): Content =>
  Object.fromEntries(Object.entries(module).filter(([key]) => !ofService.has(key)));

/** The editing state of a module: its draft with undo history, and its map preview. */
export function provideModuleEditor(moduleId: string) {
  const editor = createEditor(moduleId);
  provide(key, editor);
  return editor;
}

export type ModuleEditor = ReturnType<typeof createEditor>;
const key: InjectionKey<ModuleEditor> = Symbol('module editor');

/** The editor provided by the page. */
export const useModuleEditor = (): ModuleEditor => inject(key)!;

function createEditor(moduleId: string) {
  const { locale } = useI18n();
  const projectId = useProjectId();
  const where = () => ({ projectId: projectId.value, moduleId });
  const { may } = usePermissions(projectId);
  const {
    data: module,
    error,
    refetch,
  } = useQuery({
    key: () => projectKey(projectId.value, 'module', moduleId),
    query: () => api.getProjectModule({ params: where() }),
  });
  const mayEdit = computed(() => may('editModule') || module.value?.createdBy === user.value?._id);

  const editing = useEditing<Module, Content>({
    source: module,
    pick: contentOf,
    save: async (draft, revision, id) =>
      api.putProjectModule({
        params: { projectId: projectId.value, moduleId: id },
        query: { replace: true },
        body: draft,
        headers: { 'if-match': `"${revision}"` },
      }),
    refresh: async () => api.getProjectModule({ params: where() }),
    combine: { merge: mergeModules, takeTheirs },
  });

  const history = shallowRef<History<Content>>(startHistory({}));
  const content = computed(() => nowOf(history.value));
  let isDiscarding = false;
  // remote changes, fetched or merged, also enter the history here
  watch(
    editing.draft,
    (draft) => {
      const now = toRaw(draft);
      if (!now || now === content.value) return;
      const isFirst = Object.keys(content.value).length === 0;
      if (isFirst) history.value = startHistory(now);
      else if (isSame(now, content.value)) history.value = replaceNow(history.value, now);
      else if (isDiscarding) history.value = record(history.value, now, { ms: performance.now() });
      else history.value = rebase(history.value, now, withTheirs);
      isDiscarding = false;
    },
    { immediate: true },
  );

  function show(next: History<Content>): void {
    history.value = next;
    // no proxies of a potentially large module: each state is a value of its own
    editing.draft.value = markRaw(nowOf(next) as Record<string, unknown>);
  }

  /** Records a step; further changes soon after with the same `together` belong to the same step. */
  function change(next: Content, together?: string): void {
    if (next !== content.value) show(record(history.value, next, { key: together, ms: performance.now() }));
  }

  function set(path: Path, value: unknown): void {
    const next = value === undefined ? clearAt(content.value, path) : setAt(content.value, path, value);
    if (!isSame(getAt(content.value, path), value)) change(next as Content, path.join('/'));
  }

  /** Counts undo and redo steps, after which invalid JSON text is discarded. */
  const steps = ref(0);
  function step(by: typeof undo): void {
    if (!mayEdit.value) return;
    steps.value += 1;
    show(by(history.value));
  }

  /** Reverts all unsaved changes, as a step that can be undone. */
  function discard(): void {
    isDiscarding = true;
    editing.discard();
  }

  const showing = useShowingApp(projectId, moduleId);
  const preview = useMapPreview({ projectId, moduleId, content, baseMaps: showing.baseMaps, locale });
  const selection = useSelection(content);

  return {
    projectId,
    moduleId,
    module,
    error,
    refetch,
    may,
    mayEdit,
    editing,
    content,
    steps,
    change,
    set,
    undo: () => step(undo),
    redo: () => step(redo),
    discard,
    canUndo: computed(() => canUndo(history.value)),
    canRedo: computed(() => canRedo(history.value)),
    showing,
    preview,
    ...selection,
    namesOf: (list: string) => itemsOf(content.value, list).flatMap(({ name }) => textOf(name) ?? []),
  };
}
