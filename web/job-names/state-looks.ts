import { CircleCheck, CircleX, Clock, LoaderCircle, OctagonX, TimerOff } from '@lucide/vue';
import type { JobState } from '@platen/contract/jobs';
import type { Component } from 'vue';
import type { Tone } from '../ui/StatusChip.vue';

export const stateTones: Readonly<Record<JobState, Tone>> = {
  queued: 'neutral',
  running: 'info',
  succeeded: 'ok',
  failed: 'bad',
  aborted: 'neutral',
  timedOut: 'bad',
};

export const stateIcons: Readonly<Record<JobState, Component>> = {
  queued: Clock,
  running: LoaderCircle,
  succeeded: CircleCheck,
  failed: CircleX,
  aborted: OctagonX,
  timedOut: TimerOff,
};
