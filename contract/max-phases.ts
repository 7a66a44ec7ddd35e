/** More phases of an attempt than these are not told apart: the last of them goes on. (Alone here, as processes of jobs need it at once.) */
export const maxPhases = 200;
