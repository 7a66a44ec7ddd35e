import { computed, ref, watch } from 'vue';
import { useInspection } from '../inspect/use-inspection.ts';
import { guessedPlace } from '../quick-publish/guessed-place.ts';
import { storedSourcesOf } from '../schema-form/use-facts.ts';
import { sourcesOf } from '../schema-form/sources.ts';

/** The guessed place of a task's first input, to be confirmed unless its coordinate system is given. */
export function useGuessedPlace(
  projectId: () => string,
  parameters: () => Readonly<Record<string, unknown>>,
) {
  const input = computed(() => ((parameters()['options'] ?? {}) as { input?: unknown }).input);
  const file = computed(() => storedSourcesOf(sourcesOf(input.value).slice(0, 1))[0]);
  const { data } = useInspection(projectId, file);
  const crs = computed(() => {
    const given = sourcesOf(input.value)[0]?.['crs'];
    return typeof given === 'string' && given !== '' ? given : undefined;
  });
  const guess = computed(() => file.value && guessedPlace(data.value, crs.value));
  const isConfirmed = ref(false);
  watch(
    () => [file.value?.dataBucketId, file.value?.dataBucketKey, guess.value?.crs],
    () => (isConfirmed.value = false),
  );
  const isOpen = computed(() => guess.value !== undefined && !isConfirmed.value);
  return { guess, isConfirmed, isOpen };
}
