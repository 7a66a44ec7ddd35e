import { computed, shallowRef, watch } from 'vue';
import { language, type Language } from '../i18n/i18n.ts';
import type { FieldWords } from '../schema-form/form.ts';
import type { Lookup } from '../schema-form/speak.ts';

/** By the name of a job type, `any` for all of them, and then by the path of the field. */
type FormWords = Readonly<Record<string, Readonly<Record<string, FieldWords>>>>;

/** The schemas of job types speak English; these are their words in other languages. */
const loaders: Partial<Record<Language, () => Promise<{ default: FormWords }>>> = {
  de: () => import('./form-words/de.json'),
};

/** The words for the fields of a job type in the person's language; what is missing is said as the schema says it. */
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
