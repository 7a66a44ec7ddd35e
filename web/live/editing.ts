import {
  computed,
  onScopeDispose,
  ref,
  shallowRef,
  toRaw,
  toValue,
  watch,
  type MaybeRefOrGetter,
  type Ref,
} from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
import { isConflict } from '../api/failure.ts';
import { i18n } from '../i18n/i18n.ts';
import { confirm } from '../ui/confirm.ts';
import { provideUnfinished } from '../ui/unfinished.ts';
import { isSame, merge, type Clash } from './merge.ts';

interface Resource {
  readonly _id: string;
  readonly revision: number;
}

interface Options<R extends Resource, Draft extends Readonly<Record<string, unknown>>> {
  /** The newest known state of the resource. */
  readonly source: MaybeRefOrGetter<R | undefined>;
  /** The part of the resource that the form edits. */
  readonly pick: (resource: R) => Draft;
  /** Saves the draft against this revision (`If-Match`); resolves to the stored resource. */
  readonly save: (draft: Draft, revision: number, id: string) => Promise<R>;
  /** Reads the resource from the service. */
  readonly refresh: () => Promise<R>;
  /** Merges the changes of two users; by default field by field. */
  readonly combine?: Combine<Draft>;
  /** Tells forms of one resource apart, each of which keeps its own draft. */
  readonly part?: string;
}

interface Combine<Draft> {
  readonly merge: (base: Draft, mine: Draft, theirs: Draft) => { merged: Draft; clashes: readonly Clash[] };
  /** The merged draft with the other user's version of some clashes. */
  readonly takeTheirs: (merged: Draft, clashes: readonly Clash[]) => Draft;
}

const byField = {
  merge,
  takeTheirs: <Draft extends object>(merged: Draft, clashes: readonly Clash[]): Draft => ({
    ...merged,
    ...Object.fromEntries(clashes.map(({ field, theirs }) => [field, theirs])),
  }),
};

export interface Conflict<Draft> {
  readonly clashes: readonly Clash[];
  /** Takes mine or theirs for each field by name, and saves the result. */
  resolve(theirs: ReadonlySet<string>): Promise<void>;
  readonly merged: Draft;
  dismiss(): void;
}

const keptPrefix = 'platen.draft.';

/**
 * The form of one resource: the draft follows remote changes while it is unedited, survives a page reload, and never
 * overwrites what someone else has saved. Fields changed on both sides become a conflict.
 */
export function useEditing<R extends Resource, Draft extends Readonly<Record<string, unknown>>>({
  source,
  pick,
  save: send,
  refresh,
  combine = byField,
  part,
}: Options<R, Draft>) {
  const keyOf = (id: string) => keptPrefix + id + (part === undefined ? '' : `.${part}`);
  const base = shallowRef<{ id: string; revision: number; draft: Draft }>();
  const draft = ref<Draft>() as Ref<Draft | undefined>;
  const isSaving = ref(false);
  const failure = shallowRef<unknown>();
  const conflict = shallowRef<Conflict<Draft>>();
  /** Whether a field holds input that cannot be saved yet, such as half-typed JSON. */
  const isUnfinished = provideUnfinished();
  const differs = computed(() => base.value !== undefined && !isSame(base.value.draft, draft.value));
  const isDirty = computed(() => differs.value || isUnfinished.value);

  const copyOf = (value: Draft): Draft => structuredClone(toRaw(value));

  function take(resource: R): void {
    rebase(resource, copyOf(pick(resource)));
    failure.value = undefined;
    conflict.value = undefined;
  }

  function rebase(resource: R, edited: Draft | undefined): void {
    base.value = { id: resource._id, revision: resource.revision, draft: copyOf(pick(resource)) };
    draft.value = edited;
  }

  watch(
    [() => toValue(source), isDirty],
    ([resource]) => {
      if (!resource) return;
      const isOther = base.value?.id !== resource._id;
      if (isOther) {
        take(resource);
        recall(resource);
      } else if (!isDirty.value && resource.revision >= base.value!.revision) {
        // equal content in other objects changes nothing, so that cursors stay in place
        if (isSame(base.value!.draft, pick(resource))) rebase(resource, draft.value);
        else take(resource);
      }
    },
    { immediate: true },
  );
  /** Someone else has saved a change during editing. */
  const isOutdated = computed(() => isDirty.value && (toValue(source)?.revision ?? 0) > base.value!.revision);

  function recall(resource: R): void {
    const kept = read<{ revision: number; base: Draft; draft: Draft }>(keyOf(resource._id));
    if (!kept) return;
    base.value = { id: resource._id, revision: kept.revision, draft: kept.base };
    draft.value = kept.draft;
  }
  watch(
    [draft, base],
    () => {
      const { id, revision, draft: before } = base.value ?? {};
      if (id === undefined) return;
      if (!differs.value) localStorage.removeItem(keyOf(id));
      else keep(keyOf(id), { revision, base: before, draft: draft.value });
    },
    { deep: true },
  );

  async function save(): Promise<boolean> {
    if (!base.value || draft.value === undefined || isSaving.value || isUnfinished.value) return false;
    isSaving.value = true;
    failure.value = undefined;
    const sent = copyOf(draft.value);
    try {
      const stored = await send(copyOf(sent), base.value.revision, base.value.id);
      // what was typed meanwhile stays, still unsaved
      if (isSame(draft.value, sent) && !isUnfinished.value) take(stored);
      else rebase(stored, combine.merge(sent, toRaw(draft.value), pick(stored)).merged);
      return true;
    } catch (error) {
      if (isConflict(error)) return await meet();
      failure.value = error;
      return false;
    } finally {
      isSaving.value = false;
    }
  }

  /** Merges the saved changes of someone else; asks only about fields changed on both sides. */
  async function meet(): Promise<boolean> {
    const theirs = await refresh();
    const { merged, clashes } = combine.merge(base.value!.draft, toRaw(draft.value!), pick(theirs));
    if (clashes.length === 0) {
      rebase(theirs, merged);
      isSaving.value = false;
      return save();
    }
    conflict.value = {
      clashes,
      merged,
      async resolve(taken) {
        const chosen = clashes.filter(({ field }) => taken.has(field));
        rebase(theirs, combine.takeTheirs(merged, chosen));
        conflict.value = undefined;
        await save();
      },
      dismiss: () => (conflict.value = undefined),
    };
    return false;
  }

  function discard(): void {
    const newest = toValue(source);
    if (newest) take(newest);
  }

  /** Asks before leaving; the draft stays until the page is gone. */
  async function mayLeave(): Promise<boolean> {
    if (!isDirty.value) return true;
    const leaves = await confirm({
      title: i18n.global.t('ui.unsaved'),
      text: i18n.global.t('live.leaveText'),
      action: i18n.global.t('live.leave'),
      isDangerous: true,
    });
    if (leaves && base.value) localStorage.removeItem(keyOf(base.value.id));
    return leaves;
  }
  onBeforeRouteLeave(mayLeave);
  onBeforeRouteUpdate((to, from) => isSame(to.params, from.params) || mayLeave());
  const warn = (event: BeforeUnloadEvent) => isDirty.value && event.preventDefault();
  addEventListener('beforeunload', warn);
  onScopeDispose(() => removeEventListener('beforeunload', warn));

  return { draft, isDirty, isSaving, isOutdated, isUnfinished, failure, conflict, save, discard };
}

function read<T>(key: string): T | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // too large to be kept; it stays on the page, which warns before it is left
  }
}
