const form = /^https?:\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/;

/**
 * The origin of an absolute address, as a content security policy names it; a subdomain placeholder (`{a-c}.tile…`)
 * becomes `*`. undefined if a policy cannot name it.
 */
export function originOf(text: string): string | undefined {
  const [, scheme, authority = ''] = /^(https?:)\/\/([^/?#\s]+)/i.exec(text) ?? [];
  if (scheme === undefined || authority.includes('@')) return undefined;
  const host = authority.toLowerCase().replace(/^\{[^{}]*\}\./, '*.');
  const result = `${scheme.toLowerCase()}//${host}`;
  // a star may stand for one part of a site, not for all sites under a top-level domain
  if (!form.test(result) || (host.startsWith('*.') && host.split('.').length < 4)) return undefined;
  return result;
}
