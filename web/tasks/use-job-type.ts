import { RequestFailed } from '@platen/client/client';
import type { Permission } from '@platen/contract/permission';
import { useQuery } from '@pinia/colada';
import { computed } from 'vue';
import { api } from '../api/api.ts';
import { fieldFailures } from '../api/failure.ts';
import { plainName } from '../job-names/plain-name.ts';
import { findProblems, type Problem } from '../schema-form/problems.ts';
import type { Schema } from '../schema-form/schema.ts';

// job types only change with the service itself
const staleTime = 600_000;

export const useJobTypes = () => useQuery({ key: ['job-types'], staleTime, query: () => api.getJobTypes() });

export const useJobType = (jobType: () => string | undefined) =>
  useQuery({
    key: () => ['job-types', jobType() ?? ''],
    staleTime,
    enabled: () => jobType() !== undefined,
    query: () => api.getJobType({ params: { jobType: jobType()! } }),
  });

/** Whether the user has the permission for tasks of a type, as far as known. */
export function useTypePermission(may: (permission: Permission) => boolean) {
  const { data } = useJobTypes();
  const permissions = computed(
    () => new Map(data.value?.items.map(({ name, permission }) => [name, permission as Permission])),
  );
  return (jobType: string) => {
    const permission = permissions.value.get(plainName(jobType));
    return permission !== undefined && may(permission);
  };
}

/** The service's parameter errors at their places in the form. */
export function problemsOfFailure(failure: unknown): readonly Problem[] {
  if (!(failure instanceof RequestFailed)) return [];
  return failure.errors.flatMap(({ pointer, code, detail }): Problem[] => {
    if (!pointer.startsWith('/parameters')) return [];
    const at = { pointer: pointer.slice('/parameters'.length), keyword: code };
    return [code === 'required' ? at : { ...at, detail }];
  });
}

/** Validates parameters as they are typed; missing ones are only reported on saving. */
export function useProblems(given: {
  readonly schema: () => Schema | undefined;
  readonly parameters: () => unknown;
  readonly failure: () => unknown;
  readonly isComplete: () => boolean;
}) {
  const own = computed(() => {
    const schema = given.schema();
    return schema ? findProblems(schema, given.parameters()) : [];
  });
  const shown = computed(() => {
    const reported = problemsOfFailure(given.failure());
    const open = own.value.filter(({ keyword }) => given.isComplete() || keyword !== 'required');
    return [...open, ...reported.filter(({ pointer }) => !open.some((one) => one.pointer === pointer))];
  });
  return { own, shown };
}

/** The service's errors for the schedule's fields, by name. */
export const scheduleErrorsOf = (failure: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldFailures(failure)).flatMap(([key, text]) =>
      key.startsWith('schedule.') ? [[key.slice('schedule.'.length), text] as const] : [],
    ),
  );
