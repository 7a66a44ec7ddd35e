import { computed, ref, shallowRef, watch, type Ref } from 'vue';
import { fieldFailures } from '../api/failure.ts';

interface Options<Stored, Draft> {
  /** The id of the resource to edit; undefined creates a new one. */
  readonly id: () => string | undefined;
  readonly load: (id: string) => Promise<Stored>;
  /** The form's values for a resource, or for a new one. */
  readonly draftOf: (stored: Stored | undefined) => Draft;
}

/** The state of a dialog that creates or edits a resource; `EditDialog` renders its frame. */
export function useEditDialog<Stored, Draft>({ id, load, draftOf }: Options<Stored, Draft>) {
  const stored = shallowRef<Stored>();
  const draft = ref(draftOf(undefined)) as Ref<Draft>;
  const failure = shallowRef<unknown>();
  const isBusy = ref(false);
  const isReady = computed(() => id() === undefined || stored.value !== undefined);
  const errors = computed(() => fieldFailures(failure.value));

  async function attempt(work: () => Promise<void>): Promise<void> {
    failure.value = undefined;
    try {
      await work();
    } catch (error) {
      failure.value = error;
    }
  }

  watch(
    id,
    (one) => {
      if (one === undefined) return;
      void attempt(async () => {
        stored.value = await load(one);
        draft.value = draftOf(stored.value);
      });
    },
    { immediate: true },
  );

  /** Runs the request that saves the draft; a failure appears in the dialog. */
  async function submit(work: () => Promise<void>): Promise<void> {
    isBusy.value = true;
    await attempt(work);
    isBusy.value = false;
  }

  return { stored, draft, failure, errors, isBusy, isReady, submit };
}
