import type { ModulePreviewRequest } from '@platen/contract/module-preview';
import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import { api } from '../../api/api.ts';
import { isSame } from '../../live/merge.ts';
import type { Content, Item } from '../document/content.ts';
import { findingsOf, type Finding } from '../document/findings.ts';
import { roundViewpoint } from '../document/round-viewpoint.ts';

interface Options {
  readonly projectId: Readonly<Ref<string>>;
  readonly moduleId: string;
  readonly content: Readonly<Ref<Content>>;
  /** Of the app that shows the module; null: those of a new map; undefined: not known yet. */
  readonly baseMaps: Readonly<Ref<readonly string[] | null | undefined>>;
  readonly locale: Readonly<Ref<string>>;
}

/** A layer as it currently is in the map. */
export interface LayerState {
  readonly name: string;
  readonly isActive: boolean;
}

export interface PickedLayer {
  readonly layer: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

const settleMs = 30;

/**
 * The map in the frame next to the editor: the service compiles the draft and reports its findings, and the frame
 * applies the differences. One compilation runs at a time; of the drafts meanwhile only the newest counts.
 */
export function useMapPreview({ projectId, moduleId, content, baseMaps, locale }: Options) {
  const frame = shallowRef<HTMLIFrameElement | null>(null);
  const findings = shallowRef<readonly Finding[]>([]);
  const failure = shallowRef<unknown>();
  const problems = ref<readonly string[]>([]);
  const layers = shallowRef<readonly LayerState[]>([]);
  const map = ref<string>();
  const picked = shallowRef<PickedLayer>();
  const hosts = shallowRef<readonly string[]>();
  const isReady = ref(false);
  const isCurrent = ref(false);

  let modules: readonly object[] | undefined;
  let newest: ModulePreviewRequest | undefined;
  let isAsking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastSent = 0;
  let lastRequest = 0;
  /** The view to restore after the frame reloads. */
  let viewpoint: object | undefined;
  const waiting = new Map<number, (answer: object | undefined) => void>();

  const address = computed(() => {
    if (!hosts.value) return undefined;
    const query = new URLSearchParams(hosts.value.map((host) => ['host', host]));
    query.set('locale', locale.value);
    return `/app-preview/?${query}`;
  });

  // another address is another page, which has to start first
  watch(address, () => (isReady.value = false), { flush: 'sync' });

  const postMessage = (message: object) => frame.value?.contentWindow?.postMessage(message, location.origin);

  function sendModules(): void {
    if (!isReady.value || !modules) return;
    lastSent += 1;
    postMessage({ type: 'show', modules, id: lastSent });
  }

  async function compile(): Promise<void> {
    if (isAsking || !newest) return;
    isAsking = true;
    isCurrent.value = false;
    const sent = newest;
    try {
      const {
        modules: compiled,
        errors,
        warnings,
        hosts: foreign,
      } = await api.postProjectModulePreview({
        params: { projectId: projectId.value },
        body: sent,
      });
      failure.value = undefined;
      findings.value = findingsOf(errors, warnings);
      modules = compiled;
      await allow(foreign);
      sendModules();
    } catch (error) {
      failure.value = error;
    } finally {
      isAsking = false;
      if (newest !== sent) void compile();
    }
  }

  /** A page may only request the hosts it was opened for, so further hosts need another page. */
  async function allow(foreign: readonly string[]): Promise<void> {
    const known = new Set(hosts.value);
    if (hosts.value && foreign.every((host) => known.has(host))) return;
    if (isReady.value) viewpoint = await takeViewpoint();
    hosts.value = [...known, ...foreign.filter((host) => !known.has(host))];
  }

  watch(
    [content, baseMaps] as const,
    ([module, below]) => {
      if (Object.keys(module).length === 0 || below === undefined) return;
      const request = { modules: [{ moduleId, module }], ...(below && { baseMaps: [...below] }) };
      // saving and refetching replace equal objects
      if (isSame(request, newest)) return;
      newest = request;
      clearTimeout(timer);
      timer = setTimeout(() => void compile(), settleMs);
    },
    { immediate: true },
  );

  function hear({ data, source, origin }: MessageEvent<unknown>): void {
    if (source !== frame.value?.contentWindow || origin !== location.origin) return;
    const message = data as Item;
    const { type, id } = message;
    if (type === 'ready') {
      isReady.value = true;
      sendModules();
    } else if (type === 'shown' && id === lastSent) {
      isCurrent.value = true;
      if (viewpoint) goTo(viewpoint);
      viewpoint = undefined;
    } else if (type === 'failed') {
      problems.value = [...problems.value.slice(-4), String(message['message'])];
    } else if (type === 'viewpoint') {
      const view = message['viewpoint'] as Item | null;
      waiting.get(Number(id))?.(view ? roundViewpoint(view) : undefined);
      waiting.delete(Number(id));
    } else if (type === 'layers') {
      layers.value = message['layers'] as LayerState[];
      map.value = (message['map'] as string | null) ?? undefined;
    } else if (type === 'picked') picked.value = message as unknown as PickedLayer;
  }
  addEventListener('message', hear);
  onScopeDispose(() => {
    removeEventListener('message', hear);
    clearTimeout(timer);
  });

  const goTo = (to: object) => postMessage({ type: 'goto', viewpoint: to });

  /** The map's current viewpoint; undefined if it does not answer. */
  function takeViewpoint(): Promise<object | undefined> {
    if (!isReady.value) return Promise.resolve(undefined);
    lastRequest += 1;
    const id = lastRequest;
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    waiting.set(id, resolve);
    setTimeout(resolve, 3000);
    postMessage({ type: 'viewpoint?', id });
    return promise;
  }

  return {
    frame,
    address,
    findings,
    failure,
    problems,
    layers,
    map,
    picked,
    isReady,
    isCurrent,
    goTo,
    takeViewpoint,
    again: () => void compile(),
  };
}
