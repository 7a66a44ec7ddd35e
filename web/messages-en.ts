import type { JobState } from '@platen/contract/jobs';

/** Every text of the interface, in English; the other languages have the same shape. */
export const english = {
  signIn: {
    title: 'Sign in',
    subtitle: 'Your geodata and maps, on your own server.',
    username: 'Username',
    password: 'Password',
    show: 'Show password',
    submit: 'Sign in',
    busy: 'Signing in …',
    missing: 'Enter your username and your password.',
    wrong: 'The username or the password is not right. Check both; capitals count in the password.',
    throttled: (wait: string) => `Too many failed attempts. You can try again ${wait}.`,
    foreignAddress:
      'The service expects to be opened at another address. Ask whoever runs it to check PLATEN_BASE_URL.',
    ended: 'Your session has ended. Sign in again to go on.',
    tagline: 'From raw data to a map for everyone.',
  },
  failure: {
    offline: 'The service does not answer. Check your connection and try again.',
    unavailable: 'The service is not available right now. Try again in a moment.',
    other: (detail: string) => `That did not work: ${detail}`,
    retry: 'Try again',
  },
  top: { skip: 'Skip to the content', signOut: 'Sign out', signedIn: 'Signed in', signedOut: 'Signed out' },
  projects: {
    title: 'Projects',
    subtitle: 'Everything you have access to.',
    filter: 'Filter by name',
    loading: 'Loading projects',
    more: 'Show more projects',
    found: (count: string, isOne: boolean) => `${count} ${isOne ? 'project' : 'projects'}`,
    noMatch: (text: string) => `No project’s name contains “${text}”.`,
    emptyTitle: 'No project yet',
    emptyAdmin:
      'A project holds data, maps and the people who work on them. The demo makes one, with real data and a public map:',
    emptyUser:
      'You are not a member of a project yet. Ask a project’s manager, or whoever runs this service, to add you.',
    emptyCurl: 'Or make one of your own by HTTP:',
  },
  project: {
    apps: (count: string, isOne: boolean) => `${count} ${isOne ? 'app' : 'apps'}`,
    files: (count: string, isOne: boolean) => `${count} ${isOne ? 'file' : 'files'}`,
    datasources: (count: string, isOne: boolean) => `${count} ${isOne ? 'data source' : 'data sources'}`,
    jobs: (count: string, isOne: boolean) => `${count} ${isOne ? 'job' : 'jobs'}`,
    members: (count: string, isOne: boolean) => `${count} ${isOne ? 'member' : 'members'}`,
    publicApps: (count: string) => `${count} public`,
  },
  apps: {
    title: 'Apps',
    open: 'Open map',
    openNamed: (name: string) => `Open map ${name}`,
    isPublic: 'Public',
    isPrivate: 'Members only',
    viewer: (range: string) => `Viewer ${range}`,
    empty:
      'No app yet. An app shows modules, which are sets of layers, as one map. The demo makes a project with both:',
    more: (count: string) => `and ${count} more, which the API lists`,
  },
  jobs: {
    title: 'Latest jobs',
    states: {
      queued: 'Queued',
      running: 'Running',
      succeeded: 'Finished',
      failed: 'Failed',
      aborted: 'Stopped',
      timedOut: 'Timed out',
    } satisfies Record<JobState, string>,
  },
  developers: {
    title: 'Build with it',
    explorer: 'API explorer',
    explorerText: 'Every operation, to try out here.',
    document: 'OpenAPI document',
    documentText: 'For code generators and tools.',
    docs: 'Documentation',
    firstSteps: 'First steps',
    token: 'Get a token, then list your projects:',
    copy: 'Copy',
    copied: 'Copied',
  },
};

export type Messages = typeof english;
