import { computed, shallowRef, watch } from 'vue';
import { language, type Language } from '../i18n/i18n.ts';
import type { FieldWords } from '../schema-form/form.ts';
import type { Lookup } from '../schema-form/speak.ts';

/** By job type name (`any` for all types), then by field path. */
type FormWords = Readonly<Record<string, Readonly<Record<string, FieldWords>>>>;

/** Job type schemas are in English; these are translations. */
const loaders: Partial<Record<Language, () => Promise<{ default: FormWords }>>> = {
  de: () => import('./form-words/de.json'),
};

/** The texts of a job type's fields in the user's language; missing ones come from the schema. */
export function useFormWords(jobType: () => string) {
  const words = shallowRef<FormWords>({});
  watch(
    language,
    async (now) => {
      const loaded = (await loaders[now]?.())?.default ?? {};
      if (now === language.value) words.value = loaded;
    },
    { immediate: true },
  );
  return computed<Lookup>(() => {
    const of = words.value[jobType().replace(/^[a-z][a-z0-9]*/, '')];
    const any = words.value['any'];
    return (path) => of?.[path] ?? any?.[path];
  });
}
