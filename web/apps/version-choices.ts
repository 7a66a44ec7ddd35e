export interface VersionChoice {
  readonly range: string;
  readonly kind: 'major' | 'minor' | 'exact';
  readonly version: string;
}

/**
 * The ranges that one of the installed map viewers is chosen by: for each major version what follows its minor versions and
 * what follows its fixes only, and each version alone. The newest come first.
 */
export function versionChoices(versions: readonly string[]): readonly VersionChoice[] {
  const seen = new Set<string>();
  const follows = versions.flatMap((version): VersionChoice[] => {
    const [major = '', minor = ''] = version.split('.');
    if (seen.has(major)) return [];
    seen.add(major);
    return [
      { range: `^${major}`, kind: 'major', version: major },
      { range: `~${major}.${minor}`, kind: 'minor', version: `${major}.${minor}` },
    ];
  });
  return [...follows, ...versions.map((version) => ({ range: version, kind: 'exact' as const, version }))];
}
