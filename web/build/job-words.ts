import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { catalog } from '@platen/processing/catalog';
import type { JobSpec, TaskSpec } from '@platen/processing/job-type';

export interface Messages {
  readonly [key: string]: string | Messages;
}

/** The texts of an option: `FieldTexts` of a form. */
interface OptionWords {
  readonly title?: string;
  readonly help?: string;
  readonly unit?: string;
  readonly options?: Readonly<Record<string, { readonly title: string; readonly help?: string }>>;
}

/** The title and the description of a type in English are those of its spec. */
interface TypeWords {
  readonly title?: string;
  readonly description?: string;
  /** The next step that the interface offers for a file that suits the type. */
  readonly suggestion?: { readonly title: string; readonly text: string };
}

/** `words.<language>.json` in a folder of processing/. Phases, units and codes have one name for all types. */
export interface JobWords {
  readonly types?: Readonly<Record<string, TypeWords>>;
  /** By path below `options`; in English, the texts are those of the schema. */
  readonly options?: Readonly<Record<string, OptionWords>>;
  readonly phases?: Readonly<Record<string, string>>;
  readonly units?: Readonly<Record<string, string>>;
  readonly warnings?: Readonly<Record<string, { readonly name: string; readonly advice: string }>>;
  readonly failures?: Readonly<Record<string, { readonly what: string; readonly todo: string }>>;
}

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** A folder of processing/ with job types, or with options that job types share. */
export interface JobFolder {
  readonly name: string;
  readonly specs: readonly (JobSpec | TaskSpec)[];
  readonly words: Readonly<Record<Language, JobWords>>;
}

const processing = join(import.meta.dirname, '../../processing');

/** Absolute paths. */
export const wordFiles = () =>
  globSync('*/words.*.json', { cwd: processing }).map((path) => join(processing, path));

export function readJobFolders(): JobFolder[] {
  const specs = Object.values(catalog);
  const withWords = wordFiles().map((path) => basename(dirname(path)));
  const names = new Set([...specs.map(({ folder }) => folder), ...withWords]);
  return [...names].toSorted().map((name) => ({
    name,
    specs: specs.filter(({ folder }) => folder === name),
    words: { en: readWords(name, 'en'), de: readWords(name, 'de') },
  }));
}

function readWords(folder: string, language: Language): JobWords {
  const path = join(processing, folder, `words.${language}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as JobWords) : {};
}

/** The messages of job types, by the area of the interface that shows them. */
export function jobMessages(folders: readonly JobFolder[], language: Language): Messages {
  return folders.map((folder) => messagesOf(folder, language)).reduce(merge, {});
}

function messagesOf({ specs, words }: JobFolder, language: Language): Messages {
  const { types = {}, phases = {}, units = {}, warnings = {}, failures = {} } = words[language];
  const ofTasks = specs.filter((spec) => 'icon' in spec);
  const textsOf = (spec: JobSpec): TypeWords => ({
    ...(language === 'en' && { title: spec.title, description: spec.description }),
    ...types[spec.name],
  });
  return {
    'job-names': { types: byName(specs, (spec) => textsOf(spec).title) },
    tasks: { typeTexts: byName(ofTasks, (spec) => textsOf(spec).description) },
    preview: { jobs: byName(ofTasks, (spec) => textsOf(spec).suggestion) },
    jobs: {
      phases,
      units,
      warnings: Object.fromEntries(Object.entries(warnings).map(([code, { name }]) => [code, name])),
      warningAdvice: Object.fromEntries(Object.entries(warnings).map(([code, { advice }]) => [code, advice])),
      failures,
    },
  };
}

function byName(
  specs: readonly JobSpec[],
  textOf: (spec: JobSpec) => string | Messages | undefined,
): Messages {
  const texts = specs.map((spec) => [spec.name, textOf(spec)] as const);
  return Object.fromEntries(texts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

/** All texts of both. @throws Error for a key with two different texts */
export function merge(base: Messages, added: Messages): Messages {
  const merged: Record<string, string | Messages> = { ...base };
  for (const [key, value] of Object.entries(added)) {
    const known = merged[key];
    if (known === undefined || known === value) merged[key] = value;
    else if (typeof known === 'string' || typeof value === 'string')
      throw new Error(`“${key}” has two texts: ${JSON.stringify(known)} and ${JSON.stringify(value)}`);
    else merged[key] = merge(known, value);
  }
  return merged;
}

/** The texts of forms that are not in the schemas: of options that several types share, and by type. */
export interface FormWords {
  readonly shared: Readonly<Record<string, OptionWords>>;
  readonly types: Readonly<Record<string, Readonly<Record<string, OptionWords>>>>;
}

/** @param root folder of web/, which has the texts of what all types have */
export function formWords(root: string, folders: readonly JobFolder[], language: Language): FormWords {
  const own = readFileSync(join(root, `tasks/form-words/${language}.json`), 'utf8');
  const optionsOf = ({ words }: JobFolder) =>
    Object.fromEntries(
      Object.entries(words[language].options ?? {}).map(([path, texts]) => [`options.${path}`, texts]),
    );
  const shared = folders.filter(({ specs }) => specs.length === 0).map(optionsOf);
  return {
    shared: Object.assign(JSON.parse(own) as FormWords['shared'], ...shared) as FormWords['shared'],
    types: Object.fromEntries(
      folders.flatMap((folder) => folder.specs.map(({ name }) => [name, optionsOf(folder)])),
    ),
  };
}
