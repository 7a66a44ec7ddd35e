import type { InspectedField, InspectedLayer } from '@platen/contract/inspect';
import { inject, provide, type Component, type ComputedRef, type InjectionKey } from 'vue';
import type { Field } from './fields.ts';
import type { Path } from './values.ts';

/** The texts of one field in the user's language. */
export interface FieldTexts {
  readonly title?: string;
  readonly help?: string;
  readonly unit?: string;
  readonly options?: Readonly<Record<string, { readonly title: string; readonly help?: string }>>;
}

/** What is shown with a field. */
export interface FieldLabel {
  readonly title: string;
  readonly help: string | undefined;
  /** Shown behind the value. */
  readonly unit: string | undefined;
}

/** What is known about the input data. */
export interface Facts {
  readonly layers: readonly InspectedLayer[];
  readonly attributes: readonly InspectedField[];
  readonly isPending: boolean;
}

/** State shared by the fields of a form. */
export interface FormContext {
  /** Renders the fields of a group; provided here because fields contain groups and groups contain fields. */
  readonly fieldList: Component;
  readonly projectId: ComputedRef<string>;
  readonly facts: ComputedRef<Facts>;
  /** The datasource types that the result may have. */
  readonly targetTypes: ComputedRef<readonly string[]>;
  /** Whether the value at a path is the one that was suggested. */
  isSuggested(path: Path): boolean;
  read(path: Path): unknown;
  /** Sets a value; undefined removes it. */
  write(path: Path, value: unknown): void;
  /** The error message at a path. */
  problemAt(path: Path): string | undefined;
  countProblems(path: Path): number;
  textsOf(field: Field, path: Path): FieldLabel;
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
