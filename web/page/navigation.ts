import {
  Activity,
  AppWindow,
  Blocks,
  Boxes,
  CalendarClock,
  Database,
  FolderOpen,
  HardDrive,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListChecks,
  Plug,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  Users,
} from '@lucide/vue';
import type { Permission } from '@platen/contract/permission';
import type { ProjectSummary } from '@platen/contract/projects';
import type { Component } from 'vue';

export interface Place {
  /** The route's name, and the key of its label in `shell.places`. */
  readonly name: string;
  readonly icon: Component;
  /** The number shown next to the label. */
  readonly count?: keyof ProjectSummary;
  /** The letter of its shortcut after G. */
  readonly letter?: string;
  /** The permission required to see it. */
  readonly needs?: Permission;
}

export interface PlaceGroup {
  /** The key of its heading in `shell.groups`; the first group has none. */
  readonly title?: string;
  readonly places: readonly Place[];
}

export const projectPlaces: readonly PlaceGroup[] = [
  { places: [{ name: 'overview', icon: LayoutDashboard, letter: 'o' }] },
  {
    title: 'data',
    places: [
      { name: 'files', icon: FolderOpen, count: 'files', letter: 'f', needs: 'getDataBucket' },
      { name: 'datasources', icon: Database, count: 'datasources', letter: 'd' },
      { name: 'tasks', icon: CalendarClock, count: 'tasks', letter: 't' },
      { name: 'jobs', icon: ListChecks, count: 'jobs', letter: 'j', needs: 'getJob' },
    ],
  },
  {
    title: 'publish',
    places: [
      { name: 'modules', icon: Blocks, count: 'modules', letter: 'm' },
      { name: 'apps', icon: AppWindow, count: 'apps', letter: 'a' },
      { name: 'scenarios', icon: Layers },
    ],
  },
  {
    title: 'project',
    places: [
      { name: 'members', icon: Users, count: 'members', letter: 'u' },
      { name: 'settings', icon: Settings, letter: 's' },
    ],
  },
];

export const adminPlaces: readonly PlaceGroup[] = [
  {
    title: 'people',
    places: [
      { name: 'admin-users', icon: Users },
      { name: 'admin-roles', icon: ShieldCheck },
      { name: 'admin-audit', icon: ScrollText },
    ],
  },
  {
    title: 'work',
    places: [
      { name: 'admin-jobs', icon: Activity },
      { name: 'admin-tasks', icon: CalendarClock },
      { name: 'admin-runners', icon: Server },
    ],
  },
  {
    title: 'service',
    places: [
      { name: 'admin-plugins', icon: Plug },
      { name: 'admin-storage', icon: HardDrive },
      { name: 'admin-settings', icon: SlidersHorizontal },
    ],
  },
];

export const userPlaces: readonly PlaceGroup[] = [
  {
    places: [
      { name: 'projects', icon: Boxes },
      { name: 'profile', icon: KeyRound },
    ],
  },
];
