import type { PreviewFinding } from '@platen/contract/module-preview';

/** An error or warning about the module. */
export interface Finding {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly severity: 'error' | 'warning';
}

/** The findings of the preview, most severe first. */
export function findingsOf(
  errors: readonly PreviewFinding[],
  warnings: readonly PreviewFinding[],
): readonly Finding[] {
  const all = [
    ...errors.map((one) => ({ ...one, severity: 'error' as const })),
    ...warnings.map((one) => ({ ...one, severity: 'warning' as const })),
  ];
  return all.map(({ pointer, code, detail, severity }) => ({ pointer, code, detail, severity }));
}

/** The findings of a thing and its contents. */
export const findingsAt = (findings: readonly Finding[], pointer: string) =>
  findings.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));

/** The module's findings that belong to no list item. */
export const findingsOfModule = (findings: readonly Finding[]) =>
  findings.filter(({ pointer }) => !/^\/[^/]+\/\d+(\/|$)/.test(pointer));

/** The item that a pointer leads to or into: `/layers/3`; empty for the module itself. */
export const thingOf = (pointer: string): string => /^\/[^/]+\/\d+(?=\/|$)/.exec(pointer)?.[0] ?? '';

export const worstOf = (findings: readonly Finding[]): Finding['severity'] | undefined =>
  findings.some(({ severity }) => severity === 'error') ? 'error' : findings[0]?.severity;
