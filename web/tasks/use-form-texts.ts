import { computed, shallowRef, watch } from 'vue';
import { language, type Language } from '../i18n/i18n.ts';
import { plainName } from '../job-names/plain-name.ts';
import type { Lookup } from '../schema-form/field-texts.ts';
import type { FieldTexts } from '../schema-form/form.ts';

type Texts = Readonly<Record<string, FieldTexts>>;

/** By path: those that job types share, and those of each. */
interface FormWords {
  readonly shared: Texts;
  readonly types: Readonly<Record<string, Texts>>;
}

const none: FormWords = { shared: {}, types: {} };

/** Job type schemas are in English; these are translations. */
const loaders: Partial<Record<Language, () => Promise<{ words: unknown }>>> = {
  de: () => import('virtual:form-words/de'),
};

/** The texts of a job type's fields in the user's language; missing ones come from the schema. */
export function useFormTexts(jobType: () => string) {
  const translations = shallowRef(none);
  watch(
    language,
    async (now) => {
      const loaded = ((await loaders[now]?.())?.words ?? none) as FormWords;
      if (now === language.value) translations.value = loaded;
    },
    { immediate: true },
  );
  return computed<Lookup>(() => {
    const { shared, types } = translations.value;
    const texts = types[plainName(jobType())];
    return (path) => texts?.[path] ?? shared[path];
  });
}
