/** Forbidden imports that the rooms would allow: globs of paths from the root, or packages. */
export interface Ban {
  rule: string;
  files: string;
  except?: string;
  never: readonly string[];
}

export const bans: readonly Ban[] = [
  { rule: 'nobody imports server', files: '**/*', except: '{server,checks}/**', never: ['server/**'] },
  {
    rule: 'only the runner imports processing/runs, and with it the heavy halves of job types',
    files: '**/*',
    except: '{runner,processing}/**',
    never: ['processing/runs.ts', 'processing/*/run.ts'],
  },
  {
    rule: 'in processing only runs.ts knows the heavy halves: the catalogue stays light',
    files: 'processing/*.ts',
    except: 'processing/runs.ts',
    never: ['processing/runs.ts', 'processing/*/run.ts'],
  },
  {
    rule: 'a spec.ts is light: no format, no file, no network',
    files: 'processing/*/spec.ts',
    never: ['formats/**', 'node:*', 'processing/*/run.ts'],
  },
  {
    rule: 'images are decoded and encoded by the codec, which bounds them and how many at a time',
    files: '{contract,formats,geo,processing,runner,server}/**',
    except: 'processing/kit/images/**',
    never: ['sharp', 'processing/kit/images/{load-sharp,decode-image,encode-image}.ts'],
  },
  {
    rule: 'operations know nothing of HTTP',
    files: 'server/**/operations.ts',
    never: ['fastify', '@fastify/**', 'server/http/**'],
  },
  { rule: 'routes never touch a store', files: 'server/**/routes.ts', never: ['server/**/store.ts'] },
  {
    rule: 'serving, the hot path, goes through no operation',
    files: 'server/datasources/serving/**',
    never: ['server/**/operations.ts'],
  },
  {
    rule: 'what runs imports no maker of committed files',
    files: '**/*',
    except: '{viewer/basemap,examples,formats/geoid/packing}/**',
    never: ['viewer/basemap/**', 'formats/geoid/packing/**'],
  },
];
