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
  /** The newest that is known of it. */
  readonly source: MaybeRefOrGetter<R | undefined>;
  /** The part of it that is edited here. */
  readonly pick: (resource: R) => Draft;
  /** Saves what was edited of that revision, by `If-Match`; answers what it is now. */
  readonly save: (draft: Draft, revision: number, id: string) => Promise<R>;
  /** Asks the service for what it is now. */
  readonly refresh: () => Promise<R>;
  /** How what two people have made of it is put together; field by field unless given. */
  readonly combine?: Combine<Draft>;
}

interface Combine<Draft> {
  readonly merge: (base: Draft, mine: Draft, theirs: Draft) => { merged: Draft; clashes: readonly Clash[] };
  /** The merged one with theirs of some clashes. */
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
  /** Takes mine or theirs of each field by its name, and saves the whole. */
  resolve(theirs: ReadonlySet<string>): Promise<void>;
  readonly merged: Draft;
  dismiss(): void;
}

const keptPrefix = 'platen.draft.';

/**
 * The form of one resource: a draft that follows what others change as long as nothing was typed, that survives a reload
 * of the page, and that never overwrites what somebody else has saved meanwhile: what both have changed is a conflict.
 */
export function useEditing<R extends Resource, Draft extends Readonly<Record<string, unknown>>>({
  source,
  pick,
  save: send,
  refresh,
  combine = byField,
}: Options<R, Draft>) {
  const base = shallowRef<{ id: string; revision: number; draft: Draft }>();
  const draft = ref<Draft>() as Ref<Draft | undefined>;
  const isSaving = ref(false);
  const failure = shallowRef<unknown>();
  const conflict = shallowRef<Conflict<Draft>>();
  /** Something in it is not saved and cannot be yet, as half-typed JSON. */
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
        // the same in other objects is nothing to show: cursors stay where they are
        if (isSame(base.value!.draft, pick(resource))) rebase(resource, draft.value);
        else take(resource);
      }
    },
    { immediate: true },
  );
  /** Somebody else has saved something while this was being edited. */
  const isOutdated = computed(() => isDirty.value && (toValue(source)?.revision ?? 0) > base.value!.revision);

  function recall(resource: R): void {
    const kept = read<{ revision: number; base: Draft; draft: Draft }>(keptPrefix + resource._id);
    if (!kept) return;
    base.value = { id: resource._id, revision: kept.revision, draft: kept.base };
    draft.value = kept.draft;
  }
  watch(
    [draft, base],
    () => {
      const { id, revision, draft: before } = base.value ?? {};
      if (id === undefined) return;
      if (!differs.value) localStorage.removeItem(keptPrefix + id);
      else keep(keptPrefix + id, { revision, base: before, draft: draft.value });
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
      // what was typed meanwhile stays, and is not saved yet
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

  /** What somebody else has saved is put together with what was typed; only what both have changed is asked about. */
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

  /** What is left so is forgotten, but stays as it is until the page is gone. */
  async function mayLeave(): Promise<boolean> {
    if (!isDirty.value) return true;
    const leaves = await confirm({
      title: i18n.global.t('ui.unsaved'),
      text: i18n.global.t('live.leaveText'),
      action: i18n.global.t('live.leave'),
      isDangerous: true,
    });
    if (leaves && base.value) localStorage.removeItem(keptPrefix + base.value.id);
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
    // too large to be kept here: it stays on the page, which warns before it is left
  }
}
