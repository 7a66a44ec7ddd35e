import type { NewShareLink, ShareLink } from '@platen/contract/share-links';

/** A link as the form has it: what is empty is not there. */
export interface LinkDraft {
  name: string;
  shows: string;
  expiresAt: string | undefined;
  maxUses: number | undefined;
  /** Undefined: as it is; empty: none. */
  password: string | undefined;
  allowedOrigins: readonly string[];
}

export const draftOf = (link: ShareLink | undefined): LinkDraft => ({
  name: link?.name ?? '',
  shows: link?.shows ?? 'current',
  expiresAt: link?.expiresAt,
  maxUses: link?.maxUses,
  password: link === undefined ? '' : undefined,
  allowedOrigins: link?.allowedOrigins ?? [],
});

/** As a request: null takes away what is there. */
export function bodyOf(draft: LinkDraft): NewShareLink {
  const { name, shows, expiresAt, maxUses, password, allowedOrigins } = draft;
  return {
    name: name.trim(),
    shows,
    allowedOrigins: [...allowedOrigins],
    expiresAt: expiresAt ?? null,
    maxUses: maxUses ?? null,
    ...(password !== undefined && { password: password === '' ? null : password }),
  };
}
