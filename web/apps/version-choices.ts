export interface VersionChoice {
  readonly range: string;
  readonly kind: 'major' | 'minor' | 'exact';
  readonly version: string;
}

/**
 * The ranges offered for the installed map viewers, newest first: for each major version its minor updates, its patch
 * updates, and each exact version.
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
