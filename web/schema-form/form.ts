import type { InspectedField, InspectedLayer } from '@platen/contract/inspect';
import { inject, provide, type Component, type ComputedRef, type InjectionKey } from 'vue';
import type { Field } from './fields.ts';
import type { Path } from './values.ts';

/** Words for one field in the person's language. */
export interface FieldWords {
  readonly title?: string;
  readonly help?: string;
  readonly options?: Readonly<Record<string, { readonly title: string; readonly help?: string }>>;
}

/** What is known of the data that the form is about. */
export interface Facts {
  readonly layers: readonly InspectedLayer[];
  readonly attributes: readonly InspectedField[];
  readonly isPending: boolean;
}

/** What the fields of one form share. */
export interface FormContext {
  /** Shows the fields of a group; given here as fields hold groups and groups hold fields. */
  readonly fieldList: Component;
  readonly projectId: ComputedRef<string>;
  readonly facts: ComputedRef<Facts>;
  /** The types of datasources that the result may be. */
  readonly targetTypes: ComputedRef<readonly string[]>;
  read(path: Path): unknown;
  /** undefined takes the value away. */
  write(path: Path, value: unknown): void;
  /** What is wrong at a place, in words. */
  problemAt(path: Path): string | undefined;
  countProblems(path: Path): number;
  wordsOf(field: Field, path: Path): { readonly title: string; readonly help: string | undefined };
  optionOf(
    field: Field,
    path: Path,
    option: unknown,
  ): { readonly title: string; readonly help: string | undefined };
}

const key: InjectionKey<FormContext> = Symbol('form');

export const provideForm = (form: FormContext) => provide(key, form);

/** @throws Error outside of a form */
export function useForm(): FormContext {
  const form = inject(key);
  if (!form) throw new Error('This field stands in no form.');
  return form;
}
