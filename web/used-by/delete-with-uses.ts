import { RequestFailed } from '@platen/client/client';
import type { Use } from '@platen/contract/used-by';
import { toastFailure } from '../api/failure-toast.ts';
import { i18n } from '../i18n/i18n.ts';
import { confirm } from '../ui/confirm.ts';

interface Deletion {
  /** The display name of what is being deleted. */
  readonly name: string;
  readonly remove: (force: boolean) => Promise<unknown>;
  /** Everything that refers to it; only requested when the service refuses because of it. */
  readonly uses: () => Promise<readonly Use[]>;
}

/**
 * Deletes something; if it is in use, lists the uses and deletes it anyway if the user agrees.
 * @returns whether it was deleted; a failure has been reported
 */
export async function deleteWithUses({ name, remove, uses }: Deletion): Promise<boolean> {
  try {
    await remove(false);
    return true;
  } catch (failure) {
    if (!isInUse(failure)) return reportFailure(failure);
  }
  try {
    if (!(await confirmDeletion(name, await uses()))) return false;
    await remove(true);
    return true;
  } catch (failure) {
    return reportFailure(failure);
  }
}

/** Whether the service refused because something refers to it. */
export const isInUse = (failure: unknown): failure is RequestFailed =>
  failure instanceof RequestFailed && failure.errors.some(({ code }) => code === 'in_use');

/** Asks whether to delete something despite its uses. */
export function confirmDeletion(name: string, uses: readonly Use[]): Promise<boolean> {
  const { t } = i18n.global;
  return confirm({
    title: t('used-by.title', { name }),
    text: t('used-by.text'),
    items: uses.map((use) => `${describeUse(use)}: ${use.name}`),
    action: t('used-by.anyway'),
    isDangerous: true,
  });
}

/** A use in words: “App, shows it”. */
export function describeUse({ type, role }: Pick<Use, 'type' | 'role'>): string {
  const { t } = i18n.global;
  return t('used-by.use', { type: t(`used-by.types.${type}`), role: t(`used-by.roles.${role}`) });
}

function reportFailure(failure: unknown): false {
  toastFailure(failure);
  return false;
}
