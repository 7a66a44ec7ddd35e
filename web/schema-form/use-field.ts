import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { formatNumber } from '../i18n/format.ts';
import type { Field } from './fields.ts';
import { useForm } from './form.ts';
import type { Path } from './values.ts';

/** What every control needs: its value, texts and error, and the reset to its default. */
export function useField(given: () => { readonly field: Field; readonly path: Path }) {
  const form = useForm();
  const { t } = useI18n();
  const field = computed(() => given().field);
  const path = computed(() => given().path);
  const value = computed({
    get: () => form.read(path.value),
    set: (to: unknown) => form.write(path.value, to),
  });
  const texts = computed(() => form.textsOf(field.value, path.value));
  const byDefault = computed(() => field.value.schema.default);
  const defaultText = computed(() => {
    const one = byDefault.value;
    if (one === undefined || one === '') return undefined;
    if (typeof one === 'boolean') return t(one ? 'ui.yes' : 'ui.no');
    if (typeof one === 'number') return formatNumber(one, { useGrouping: false });
    if (field.value.schema.enum) return form.optionOf(field.value, path.value, one).title;
    return typeof one === 'string' ? one : JSON.stringify(one);
  });
  return {
    value,
    texts,
    byDefault,
    defaultText,
    problem: computed(() => form.problemAt(path.value)),
    isSet: computed(() => value.value !== undefined && !field.value.isRequired),
    reset: () => form.write(path.value, undefined),
    unit: computed(() => texts.value.unit),
    form,
  };
}
