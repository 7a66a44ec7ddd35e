import { CalendarClock, CloudUpload, KeyRound, Languages, Moon, Rocket, UserPlus } from '@lucide/vue';
import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import { isAdmin } from '../api/session.ts';
import { adminPlaces, userPlaces, type PlaceGroup } from '../page/navigation.ts';
import { toggleTheme } from '../page/theme.ts';
import { language } from '../i18n/i18n.ts';
import { setLanguage } from '../i18n/words.ts';

/** A command available anywhere: a page to open, or an action. */
export interface Command {
  readonly id: string;
  /** The key of its label. */
  readonly label: string;
  readonly icon: Component;
  readonly keys?: string | undefined;
  readonly to?: RouteLocationRaw;
  run?(): unknown;
}

/** The actions available on the current page. */
export function actions(projectId: string | undefined): readonly Command[] {
  const params = { projectId };
  const projectActions: readonly Command[] =
    projectId === undefined
      ? []
      : [
          {
            id: 'publish',
            label: 'search.publish',
            icon: Rocket,
            to: { name: 'files', params, query: { do: 'publish' } },
          },
          {
            id: 'upload',
            label: 'search.upload',
            icon: CloudUpload,
            to: { name: 'files', params, query: { do: 'upload' } },
          },
          {
            id: 'invite',
            label: 'search.invite',
            icon: UserPlus,
            to: { name: 'members', params, query: { do: 'invite' } },
          },
          { id: 'task', label: 'search.task', icon: CalendarClock, to: { name: 'task-new', params } },
        ];
  return [
    ...projectActions,
    { id: 'theme', label: 'shell.theme', icon: Moon, run: toggleTheme },
    {
      id: 'language',
      label: 'shell.language',
      icon: Languages,
      run: () => setLanguage(language.value === 'de' ? 'en' : 'de'),
    },
    { id: 'profile', label: 'shell.places.profile', icon: KeyRound, to: { name: 'profile' } },
  ];
}

/** The pages reachable from here, those of the project first. */
export function places(
  projectId: string | undefined,
  projectPlaces: readonly PlaceGroup[],
): readonly Command[] {
  const commandsOf = (groups: readonly PlaceGroup[], params = {}) =>
    groups
      .flatMap((group) => group.places)
      .map(({ name, icon, letter }): Command => ({
        id: name,
        label: `shell.places.${name}`,
        icon,
        to: { name, params },
        keys: letter && `G ${letter.toUpperCase()}`,
      }));
  return [
    ...(projectId === undefined ? [] : commandsOf(projectPlaces, { projectId })),
    ...commandsOf(
      userPlaces.map((group) => ({ places: group.places.filter(({ name }) => name === 'projects') })),
    ),
    ...(isAdmin.value ? commandsOf(adminPlaces) : []),
  ];
}
