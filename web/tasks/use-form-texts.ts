import { computed, shallowRef, watch } from 'vue';
import { language, type Language } from '../i18n/i18n.ts';
import type { FieldTexts } from '../schema-form/form.ts';
import type { Lookup } from '../schema-form/field-texts.ts';

/** By job type name (`any` for all types), then by field path. */
type FormTexts = Readonly<Record<string, Readonly<Record<string, FieldTexts>>>>;

/** Job type schemas are in English; these are translations. */
const loaders: Partial<Record<Language, () => Promise<{ default: FormTexts }>>> = {
  de: () => import('./form-words/de.json'),
};

/** The texts of a job type's fields in the user's language; missing ones come from the schema. */
export function useFormTexts(jobType: () => string) {
  const translations = shallowRef<FormTexts>({});
  watch(
    language,
    async (now) => {
      const loaded = (await loaders[now]?.())?.default ?? {};
      if (now === language.value) translations.value = loaded;
    },
    { immediate: true },
  );
  return computed<Lookup>(() => {
    const texts = translations.value[jobType().replace(/^[a-z][a-z0-9]*/, '')];
    const any = translations.value['any'];
    return (path) => texts?.[path] ?? any?.[path];
  });
}
