import type { ProblemDetail } from '@platen/contract/error';

/** Errors cannot work; warnings are questionable. Pointers follow RFC 6901. */
export interface Findings {
  readonly errors: ProblemDetail[];
  readonly warnings: ProblemDetail[];
}

/** A finding about one of several modules, or about all together. */
export interface ModuleFinding {
  /** Index of the module; absent if the finding concerns all modules together. */
  readonly index?: number;
  /** The place in the module. */
  readonly pointer: string;
  readonly code: FindingCode;
  readonly detail: string;
}

/** Converts findings for an app: pointers name the module, details the place inside it. */
export function inApp(
  modules: readonly { readonly name: string }[],
  findings: readonly ModuleFinding[],
): ProblemDetail[] {
  return findings.map(({ index, pointer, code, detail }) =>
    index === undefined
      ? { pointer: '/moduleIds', code, detail }
      : {
          pointer: `/moduleIds/${index}`,
          code,
          detail: `“${modules[index]!.name}”: ${pointer}: ${detail}`,
        },
  );
}

export type Content = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, unknown>>;

/** All codes of findings; docs/modules.md explains each. */
export const findingCodes = [
  'aboveEachOther',
  'cyclic',
  'duplicate',
  'elsewhere',
  'emptySegment',
  'foreignHost',
  'forwardReference',
  'goneAttribute',
  'ignored',
  'incomplete',
  'nestedSubTree',
  'neverShown',
  'noArea',
  'noDistance',
  'noExtent',
  'noMaps',
  'noSource',
  'noValue',
  'noZooms',
  'otherType',
  'pluginEntry',
  'pluginMissing',
  'pluginName',
  'pluginVersion',
  'required',
  'swapped',
  'toolUnavailable',
  'type',
  'unattributed',
  'unknownColour',
  'unknownKey',
  'unknownName',
  'unknownProjection',
  'unknownType',
  'unsafeLink',
  'unsupportedType',
  'unusableUrl',
] as const;
export type FindingCode = (typeof findingCodes)[number];

export type Report = (pointer: string, code: FindingCode, detail: string) => void;
export interface Reports {
  readonly error: Report;
  readonly warning: Report;
}

/** Keeps replies readable. */
export const maxFindings = 100;

/** Collects findings: the list, and the functions that add to it. */
export function collectFindings(): { findings: Findings; reports: Reports } {
  const findings: Findings = { errors: [], warnings: [] };
  const into =
    (list: ProblemDetail[]): Report =>
    (pointer, code, detail) => {
      if (list.length < maxFindings) list.push({ pointer, code, detail });
    };
  return { findings, reports: { error: into(findings.errors), warning: into(findings.warnings) } };
}

/** The items of one of a module's lists; none when it is absent. */
export function itemsOf(content: Content, list: string): readonly Item[] {
  const value = content[list];
  return Array.isArray(value) ? (value as Item[]) : [];
}

/** Neither absent nor null, which the map viewer takes for absent. */
export function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/** Numbers, `least` of them or more. */
export function isNumbers(value: unknown, min: number): value is readonly number[] {
  return Array.isArray(value) && value.length >= min && value.every((part) => Number.isFinite(part));
}

/** Shortens a name for use in a sentence. */
export function brief(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
