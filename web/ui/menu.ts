import { DropdownMenuTrigger as Trigger } from 'reka-ui';
import { h, mergeProps, shallowRef, type FunctionalComponent } from 'vue';
import type * as Parts from './menu-parts.ts';

export { DropdownMenuRoot } from 'reka-ui';

// The open menu of reka-ui is loaded when the user is about to open the first one.
const parts = shallowRef<typeof Parts>();

async function load(): Promise<void> {
  parts.value ??= await import('./menu-parts.ts');
}

function part<Name extends keyof typeof Parts>(name: Name): (typeof Parts)[Name] {
  const lazy: FunctionalComponent = (_props, { attrs, slots }) =>
    parts.value && h(parts.value[name], attrs, slots);
  lazy.inheritAttrs = false;
  return lazy as unknown as (typeof Parts)[Name];
}

const trigger: FunctionalComponent = (_props, { attrs, slots }) =>
  h(Trigger, mergeProps({ onPointerenter: load, onFocus: load, onClick: load }, attrs), slots);
trigger.inheritAttrs = false;

export const DropdownMenuTrigger = trigger as unknown as typeof Trigger;
export const DropdownMenuPortal = part('DropdownMenuPortal');
export const DropdownMenuContent = part('DropdownMenuContent');
export const DropdownMenuItem = part('DropdownMenuItem');
export const DropdownMenuItemIndicator = part('DropdownMenuItemIndicator');
export const DropdownMenuRadioGroup = part('DropdownMenuRadioGroup');
export const DropdownMenuRadioItem = part('DropdownMenuRadioItem');
export const DropdownMenuSeparator = part('DropdownMenuSeparator');
